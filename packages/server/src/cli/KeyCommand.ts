/** `key create`, `key list`, `key revoke`. */
import { Account, ApiKey, type Errors, Id, Limits, Value } from "@tc/domain"
import { Accounts, ApiKeys } from "@tc/store"
import { Clock, Effect, Option, Schema, SchemaTransformation } from "effect"
import { Command, Flag } from "effect/cli"
import * as Bootstrap from "../Bootstrap.ts"
import * as NewKey from "../NewKey.ts"
import type { Environment } from "./Environment.ts"
import { json, print, table } from "./Output.ts"
import { type StorageError, withStorage } from "./WithStorage.ts"

const account = Flag.String("account").pipe(
  Flag.withDescription("The name of the account"),
  Flag.withDefault(Account.DEFAULT_NAME),
)

/** `read,write` as the scopes it names, each once. */
const Scopes = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(Schema.String),
    SchemaTransformation.transform<ReadonlyArray<string>, string>({
      decode: (text) => [...new Set(text.split(",").map((scope) => scope.trim()))],
      encode: (scopes) => scopes.join(","),
    }),
  ),
  Schema.decodeTo(Schema.Array(ApiKey.Scope).check(Schema.isMinLength(1))),
)

/** Any instant that a person would write in ISO 8601, with its zone. */
const Instant = Schema.String.check(
  Schema.makeFilter<string>((text) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text))
      ? undefined
      : "must be an ISO 8601 time with its zone, such as 2027-01-31T00:00:00Z",
  ),
)

const create = Command.make(
  "create",
  {
    account,
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for"), Flag.withSchema(Value.Name)),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription("Comma-separated: read,write,delete"),
      Flag.withSchema(Scopes),
    ),
    expiresAt: Flag.String("expires-at").pipe(
      Flag.withDescription("When it ends, in ISO 8601"),
      Flag.withSchema(Instant),
      Flag.optional,
    ),
    json,
  },
  ({ account, name, scopes, expiresAt, json }) =>
    withStorage(
      Effect.gen(function* () {
        const { id: account_id } = yield* (yield* Accounts).getByName(account)
        const expires_at = Option.getOrNull(Option.map(expiresAt, (text) => Value.timestamp(Date.parse(text))))
        yield* Effect.fromResult(NewKey.inFuture(expires_at, yield* Clock.currentTimeMillis))
        const made = yield* Bootstrap.createKey({ account_id, name, scopes, expires_at })
        yield* print(json, made, ({ key, id }) => [key, `Key ${id}. It is shown only this once.`])
      }),
    ),
).pipe(Command.withDescription("Create an API key and print it, this once"))

/** All keys of an account, page by page. */
const allOf = Effect.fnUntraced(function* (account_id: Id.AccountId) {
  const { list } = yield* ApiKeys
  const all: Array<ApiKey.ApiKey> = []
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, meta } = yield* list(account_id, { page, per_page: Limits.PER_PAGE_MAX })
    all.push(...data)
    pages = meta.total_pages
  }
  return all
})

const list = Command.make("list", { account, json }, ({ account, json }) =>
  withStorage(
    Effect.gen(function* () {
      const { id } = yield* (yield* Accounts).getByName(account)
      const keys = yield* allOf(id)
      yield* print(json, keys, () =>
        table([
          ["ID", "PREFIX", "NAME", "SCOPES", "EXPIRES", "REVOKED", "LAST USED"],
          ...keys.map((key) => [
            key.id,
            `tc_${key.prefix}`,
            key.name,
            key.scopes.join(","),
            key.expires_at ?? "never",
            key.revoked_at ?? "no",
            key.last_used_at ?? "never",
          ]),
        ]),
      )
    }),
  ),
).pipe(Command.withDescription("List the keys of an account"))

const revoke = Command.make(
  "revoke",
  {
    account,
    id: Flag.String("id").pipe(Flag.withDescription("The id of the key"), Flag.withSchema(Id.ApiKeyId.input)),
    json,
  },
  ({ account, id, json }) =>
    withStorage(
      Effect.gen(function* () {
        const { id: account_id } = yield* (yield* Accounts).getByName(account)
        const key = yield* (yield* ApiKeys).revoke(account_id, id)
        yield* print(json, key, ({ id, revoked_at }) => [`key ${id} revoked at ${revoked_at}`])
      }),
    ),
).pipe(Command.withDescription("End a key for good"))

/** Its failures are a name or an id that there is not, an end in the past, too many keys, and no storage to run on. */
export const command: Command.Command<
  "key",
  {},
  {},
  Errors.Conflict | Errors.Invalid | Errors.NotFound | StorageError,
  Environment
> = Command.make("key").pipe(
  Command.withDescription("API keys of an account"),
  Command.withSubcommands([create, list, revoke]),
)
