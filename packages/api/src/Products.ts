/** `/api/v1/products`. */
import { Product } from "@tc/domain"
import * as Crud from "./Crud.ts"

export const Products: Crud.Group<"products", typeof Product.resource> = Crud.group("products", Product.resource)
