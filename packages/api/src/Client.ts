/** A typed client of the service, derived from its contract, for programs that use Effect. */
import { Effect } from "effect"
import { HttpClientRequest, type HttpClient } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "./Api.ts"
import { Authorization } from "./Authorization.ts"

/** A function for every operation: `client.designs.finalize({ params: { id } })`. */
export type Client = HttpApiClient.ForApi<typeof Api>

export interface Options {
  /** Where the service is, such as `https://api.example.com`. */
  readonly baseUrl: string | URL
  /** `tc_` and 64 hexadecimal characters. */
  readonly apiKey: string
}

/**
 * Makes a client over the `HttpClient` at hand. Its functions fail with the contract's errors, by tag.
 *
 * @example
 * const client = yield* Client.make({ baseUrl: "https://api.example.com", apiKey })
 * const { data } = yield* client.products.list({ query: { page: 1, per_page: 20 } })
 */
export const make = ({ baseUrl, apiKey }: Options): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  HttpApiClient.make(Api, { baseUrl }).pipe(
    Effect.provide(
      HttpApiMiddleware.layerClient(Authorization, ({ next, request }) =>
        next(HttpClientRequest.bearerToken(request, apiKey)),
      ),
    ),
  )
