/** The service as one layer, for programs that embed it: all of it wired, from what only the program can know. */
import type { Services } from "@tc/store"
import { Layer } from "effect"
import { Attempts } from "./Attempts.ts"
import * as Settings from "./DeliverySettings.ts"
import * as Dispatcher from "./Dispatcher.ts"
import * as Http from "./http/HttpSettings.ts"
import { Mailbox } from "./Mailbox.ts"
import * as Pruner from "./Pruner.ts"
import * as Recoverer from "./Recoverer.ts"
import * as SecretBox from "./SecretBox.ts"
import type { Sender } from "./Sender.ts"

/** What handlers, dispatcher and the program itself share. */
export type Service = Services | SecretBox.SecretBox | Attempts

export interface Options<ES, RS, E, R, EK, RK> {
  /** Where the records are: `layerMemory`, `layerPostgres`, or one of your own. */
  readonly storage: Layer.Layer<Services, ES, RS>
  /** How webhooks leave the process, such as `UndiciSender.layer()` on Node. */
  readonly sender: Layer.Layer<Sender, E, R>
  /** What encrypts signing secrets: `SecretBox.layer(key)`, with the same 32 bytes at every start. */
  readonly secrets: Layer.Layer<SecretBox.SecretBox, EK, RK>
  /** What differs from the defaults. */
  readonly deliveries?: Partial<Settings.Settings>
  readonly http?: Partial<Http.Settings>
  /** Whether this process makes deliveries, recovers what was missed and removes what is old. Default true. Where it is false, another one has to. */
  readonly deliver?: boolean
}

/**
 * Storage, dispatcher and all that handlers need, wired: for `Handler.make`, or for `Server.serve` of @tc/server/node.
 *
 * @example
 * const { handler, run, dispose } = Handler.make(
 *   Service.layer({ storage: layerMemory, sender: UndiciSender.layer(), secrets: SecretBox.layer(secretKey) }),
 * )
 */
export const layer = <ES, RS, E, R, EK, RK>(
  options: Options<ES, RS, E, R, EK, RK>,
): Layer.Layer<Service, ES | E | EK, RS | R | RK> => {
  const shared = Attempts.layer.pipe(
    Layer.provide(options.sender),
    Layer.provideMerge(options.secrets),
    Layer.provideMerge(options.storage),
  )
  const workers = Layer.mergeAll(Dispatcher.layer, Recoverer.layer, Pruner.layer)
  return (options.deliver === false ? shared : Layer.provideMerge(workers, shared)).pipe(
    // Below the storage, which hands over to it what the dispatcher takes.
    Layer.provideMerge(Mailbox.layer),
    Layer.provideMerge(Layer.succeed(Settings.DeliverySettings, { ...Settings.defaults, ...options.deliveries })),
    Layer.provideMerge(Layer.succeed(Http.HttpSettings, { ...Http.defaults, ...options.http })),
  )
}
