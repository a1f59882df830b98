/** A typed client of the service, derived from its contract, for programs that use Effect. */
import { Effect, Schema } from "effect"
import { HttpClient, type HttpClientError, HttpClientRequest, type UrlParams } from "effect/http"
import { HttpApi, HttpApiClient, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"

export interface Options {
  /** Where the service is, such as `https://api.example.com`. */
  readonly base_url: string | URL
  /** `tc_` and 64 hexadecimal characters. */
  readonly api_key: string
}

/** A function for every operation: `client.designs.finalize({ params: { id } })`. */
export type Client = {
  readonly [G in Groups as G["identifier"]]: {
    readonly [E in HttpApiGroup.Endpoints<G> as E["identifier"]]: Operation<E>
  }
}

type Groups = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

/** Takes what callers may send, and gives what the service answers, decoded, or fails with one of the contract's errors. */
export type Operation<E extends HttpApiEndpoint.ConstraintRequest> = (
  ...request: {} extends Request<E> ? [request?: Request<E>] : [request: Request<E>]
) => Effect.Effect<
  HttpApiClient.SuccessType<E["~Success"]>,
  HttpApiEndpoint.Errors<E> | HttpClientError.HttpClientError | Schema.SchemaError
>

/** What an operation is sent: what is optional may be left out or `null` as the contract says, and an id is a text. */
export type Request<E extends HttpApiEndpoint.ConstraintRequest> = Params<E["~Params"]["Type"]> &
  Query<E["~Query"]["Type"]> &
  Payload<E["~Payload"]>

type Params<Type> = [Type] extends [never] ? unknown : { readonly params: { readonly [Name in keyof Type]: string } }

/** No operation requires a parameter here. */
type Query<Type> = [Type] extends [never] ? unknown : { readonly query?: Partial<Type> }

/** The wire form, before what is left out is filled in. */
type Payload<S> = [S] extends [never]
  ? unknown
  : S extends { readonly schema: Schema.Constraint }
    ? Body<S["schema"]["Encoded"]>
    : never

type Body<Encoded> = void extends Encoded
  ? { readonly payload?: Exclude<Encoded, void> }
  : { readonly payload: Encoded }

/**
 * Makes a client over the `HttpClient` at hand. Its functions fail with the contract's errors, by tag; an id that is no UUID
 * fails with a `SchemaError` before anything is sent.
 *
 * @example
 * const client = yield* Client.make({ base_url: "http://127.0.0.1:3000", api_key })
 * const store = yield* client.stores.create({ payload: { name: "Riverside Prints", platform: "swell" } })
 * const product = yield* client.products.create({ payload: { name: "Mug", store_id: store.id } })
 */
export const make = ({ base_url, api_key }: Options): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (http) => {
    const authorized = HttpClient.mapRequest(http, (request) =>
      request.pipe(HttpClientRequest.prependUrl(base_url.toString()), HttpClientRequest.bearerToken(api_key)),
    )
    const client: { [group: string]: { [endpoint: string]: unknown } } = {}
    HttpApi.reflect(Api, {
      onGroup: ({ group }) => (client[group.identifier] = {}),
      onEndpoint: ({ endpoint, group }) =>
        (client[group.identifier]![endpoint.identifier] = operation(endpoint, group, authorized)),
    })
    // Made of the groups and endpoints that its type is made of.
    return client as unknown as Client
  })

/** The parts of any request. */
interface Parts {
  readonly params?: Ids
  readonly query?: UrlParams.Input
  readonly payload?: unknown
}

interface Ids {
  readonly [name: string]: string
}

const operation = (endpoint: HttpApiEndpoint.Top, group: HttpApiGroup.Top, http: HttpClient.HttpClient) => {
  // Every parameter of a path is an id; and the two names are those of this endpoint, which TypeScript wants by their letters.
  const pathOf = Schema.decodeUnknownEffect((endpoint.params ?? Schema.Struct({})) as Schema.Codec<Ids, unknown>)
  const names = { group: group.identifier, endpoint: endpoint.identifier } as never
  const decode = HttpApiClient.decodeResponse(Api, names)
  return Effect.fnUntraced(function* ({ params = {}, query = {}, payload }: Parts = {}) {
    const ids = yield* pathOf(params)
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? "").replace(/\/$/, "")
    const request = HttpClientRequest.make(endpoint.method)(path, { urlParams: query })
    return yield* decode(
      yield* http.execute(payload === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, payload)),
    )
  })
}
