/** The REST contract of the customization service as a value: routes, errors, OpenAPI document and typed client. */
export * from "./Api.ts"
export * from "./Authorization.ts"
export * as Client from "./Client.ts"
export * as Crud from "./Crud.ts"
export * as Dashboard from "./dashboard/index.ts"
export { Deliveries } from "./Deliveries.ts"
export { Designs } from "./Designs.ts"
export * as Errors from "./Errors.ts"
export { Events } from "./Events.ts"
export * as OpenApi from "./OpenApi.ts"
export { PrintAreas } from "./PrintAreas.ts"
export { Recoveries } from "./Recoveries.ts"
export {
  DeliveryFilter,
  WebhookEndpointRotateSecret,
  WebhookEndpoints,
  WebhookEndpointTest,
  WebhookEndpointTestResult,
  WebhookEndpointWithSecret,
} from "./WebhookEndpoints.ts"
