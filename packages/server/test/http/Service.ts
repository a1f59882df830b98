/** The service over memory, as a caller sees it: requests in, answers out, without a socket. */
import { ApiKey, type Id, Value } from "@tc/domain"
import { Accounts, ApiKeys, layerMemory, type Services } from "@tc/store"
import { Context, Effect, Exit, Layer, Logger, Metric, Scope } from "effect"
import { Attempts, type Target } from "../../src/Attempts.ts"
import { DeliverySettings } from "../../src/DeliverySettings.ts"
import * as Handler from "../../src/Handler.ts"
import { HttpSettings, type Settings } from "../../src/http/HttpSettings.ts"
import { newId } from "../../src/http/Incoming.ts"
import * as SecretBox from "../../src/SecretBox.ts"

/** JSON of any shape: it is for assertions to look at. */
export type Json = ReturnType<typeof JSON.parse>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** What the text says, or nothing where it is no JSON. */
  readonly body: Json
}

export interface Options {
  readonly settings?: Partial<Settings>
  readonly delivery?: Partial<Context.Service.Shape<typeof DeliverySettings>>
  /** Changes services of the storage. */
  readonly change?: (context: Context.Context<Services>) => Context.Context<Services>
  /** What receivers do before they answer. */
  readonly receiving?: Effect.Effect<void>
}

export type KeyOptions = Partial<Pick<ApiKey.Row, "scopes" | "expires_at" | "revoked_at">>

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

/** The answer of every receiver in these tests. */
const answered = {
  started_at: "2026-11-03T14:05:27.502Z",
  duration_ms: 12,
  status_code: 204,
  error: null,
  response_excerpt: "",
  retry_after: null,
}

export const start = async (options: Options = {}) => {
  const scope = Effect.runSync(Scope.make())
  const logged: Array<Json> = []
  const sent: Array<Target> = []
  const built = await Effect.runPromise(Layer.buildWithScope(layerMemory, scope))
  const context = options.change?.(built) ?? built
  const settings = Context.get(Context.empty(), HttpSettings)
  const delivery = Context.get(Context.empty(), DeliverySettings)
  const { dispose, handler } = Handler.make(
    Layer.mergeAll(
      Layer.succeedContext(context),
      SecretBox.layer(new Uint8Array(32).fill(7)),
      Layer.succeed(Attempts, {
        make: (target) =>
          Effect.sync(() => sent.push(target)).pipe(
            Effect.andThen(options.receiving ?? Effect.void),
            Effect.as(answered),
          ),
      }),
      Layer.succeed(HttpSettings, { ...settings, log_requests: false, ...options.settings }),
      Layer.succeed(DeliverySettings, { ...delivery, ...options.delivery }),
      // What is counted is its own: one process may run many such services.
      Layer.succeed(Metric.MetricRegistry, new Map()),
      Logger.layer([Logger.map(Logger.formatStructured, (entry) => void logged.push(entry))]),
    ),
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.runPromise(Effect.provideContext(effect, context))

  /** A key of an account, by the account's name. */
  const keyOf = (name: string, given: KeyOptions = {}) =>
    run(
      Effect.gen(function* () {
        const account = yield* (yield* Accounts).ensure(name)
        const key = ApiKey.fromBytes(random(32))
        yield* (yield* ApiKeys).create({
          id: newId(Date.now()) as Id.ApiKeyId,
          account_id: account.id,
          name: "test",
          prefix: ApiKey.prefixOf(key),
          hash: ApiKey.hash(key),
          scopes: ["read", "write", "delete"],
          expires_at: null,
          revoked_at: null,
          last_used_at: null,
          created_at: Value.timestamp(Date.now()),
          ...given,
        })
        return key
      }),
    )
  const key = await keyOf("default")

  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await handler(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    const json = response.headers.get("content-type")?.startsWith("application/json") === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json && text !== "" ? JSON.parse(text) : undefined,
    }
  }
  const call =
    (method: string) =>
    (path: string, body?: unknown, as: string = key): Promise<Answer> =>
      send(path, {
        method,
        headers: {
          authorization: `Bearer ${as}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      })

  return {
    key,
    keyOf,
    /** Lines of the log, and what was sent to receivers. */
    logged,
    sent,
    /** Runs an effect on the services of the storage. */
    run,
    handler,
    send,
    get: call("GET"),
    post: call("POST"),
    patch: call("PATCH"),
    delete: call("DELETE"),
    stop: async () => {
      await dispose()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
}

export type Service = Awaited<ReturnType<typeof start>>
