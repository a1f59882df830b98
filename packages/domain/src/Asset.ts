/** A clipart, font or background that designs use. */
import { Schema } from "effect"
import * as Field from "./Field.ts"
import * as Id from "./Id.ts"
import * as Resource from "./Resource.ts"
import * as Value from "./Value.ts"

export const AssetType = Schema.Literals(["clipart", "font", "background"])

export const resource = Resource.make(
  "asset",
  Id.AssetId,
  {
    name: Field.required(Value.Name),
    asset_type: Field.required(AssetType),
    category: Field.nullable(Value.Label),
    metadata: Field.apart(Field.defaulted(Value.JsonObject, {})),
    file_url: Field.readOnly(Schema.NullOr(Value.Url)),
  },
  {
    path: "assets",
    search: "name",
    initial: { file_url: null },
    told_as: ["asset", "font"],
    /** The catalogue tells fonts apart from the other assets. */
    event_of: (verb, { asset_type }: { readonly asset_type: string }) =>
      `${asset_type === "font" ? "font" : "asset"}.${verb}`,
  },
)

export type Asset = typeof resource.record.Type
