/** The REST contract of the customization service as a value: routes, errors, OpenAPI document and typed client. */
export { Api } from "./Api.ts"
export * from "./Authorization.ts"
export * as Client from "./Client.ts"
export * as Crud from "./Crud.ts"
export * as Errors from "./Errors.ts"
export * as OpenApi from "./OpenApi.ts"
export * as WebhookEndpoints from "./WebhookEndpoints.ts"
