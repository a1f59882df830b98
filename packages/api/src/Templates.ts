/** `/api/v1/templates`. */
import { Template } from "@tc/domain"
import * as Crud from "./Crud.ts"

export const Templates: Crud.Group<"templates", typeof Template.resource> = Crud.group("templates", Template.resource)
