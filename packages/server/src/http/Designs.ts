/** Designs: the generic handlers, session tokens, and the lifecycle. */
import { Api } from "@tc/api"
import { Design, Resource } from "@tc/domain"
import { Designs } from "@tc/store"
import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { HttpApiBuilder } from "effect/http-api"
import * as Crud from "./Crud.ts"
import * as Responses from "./Responses.ts"

const { resource } = Design
const TOKEN_BYTES = 32

/** What names the session of a design whose creator named none. */
const newToken = () => Base64Url.encode(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)))

export const layer = HttpApiBuilder.group(
  Api,
  "designs",
  Effect.fnUntraced(function* (group) {
    const designs = yield* Designs
    return group.handleAll({
      ...Crud.handlers(resource, designs),
      create: ({ payload }) =>
        Crud.asAccount((account_id) => {
          const session_token = payload.session_token ?? newToken()
          return Effect.map(designs.create(account_id, { ...payload, session_token }), (row) =>
            Responses.created(Crud.locationOf(resource, row), Resource.show(resource, row)),
          )
        }),
      modify: ({ params, payload }) =>
        Crud.asAccount((account_id) =>
          Effect.map(designs.modify(account_id, params.id, Design.patch(payload)), Crud.shown(resource)),
        ),
      finalize: ({ params, payload }) =>
        Crud.asAccount((account_id) =>
          Effect.map(designs.modify(account_id, params.id, Design.finalize(payload ?? {})), Crud.shown(resource)),
        ),
    })
  }),
)
