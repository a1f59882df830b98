/** `/api/v1/assets`. */
import { Asset } from "@tc/domain"
import * as Crud from "./Crud.ts"

export const Assets: Crud.Group<"assets", typeof Asset.resource> = Crud.group("assets", Asset.resource)
