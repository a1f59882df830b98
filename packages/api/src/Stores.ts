/** `/api/v1/stores`. */
import { Store } from "@tc/domain"
import * as Crud from "./Crud.ts"

export const Stores: Crud.Group<"stores", typeof Store.resource> = Crud.group("stores", Store.resource)
