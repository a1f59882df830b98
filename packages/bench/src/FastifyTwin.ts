/** The twin: a plain Fastify and `pg` program that makes the same checks as ours on products, to measure ours against. */
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from "fastify"
import { STATUS_CODES } from "node:http"
import { DatabaseError, Pool } from "pg"
import type { HttpApi } from "./HttpApi.ts"
import * as Schema from "./ProductSchema.ts"
import * as Keys from "./TwinKeys.ts"
import * as Tables from "./TwinTables.ts"
import * as Uuid from "./Uuid.ts"

declare module "fastify" {
  interface FastifyRequest {
    account: string
  }
}

interface Create {
  readonly id?: string
  readonly name: string
  readonly description?: string | null
  readonly store_id: string
  readonly customizable?: boolean
  readonly base_image_url?: string | null
  readonly variants?: ReadonlyArray<unknown>
}

interface Fault {
  readonly path: string
  readonly message: string
}

const sane = /^[\w.:-]{1,128}$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const refuse = (reply: FastifyReply, status: number, code: string, message: string, errors?: ReadonlyArray<Fault>) =>
  reply.code(status).send({ error: STATUS_CODES[status], message, code, request_id: reply.request.id, errors })

const onError = (error: FastifyError, reply: FastifyReply) => {
  if (error.validation === undefined) {
    const status = error.statusCode ?? 500
    return refuse(reply, status, status < 500 ? "bad_request" : "internal", status < 500 ? error.message : "A bug.")
  }
  const faults = error.validation.map(({ instancePath, params, message = "" }) => {
    const missing = params["missingProperty"]
    return { path: typeof missing === "string" ? `${instancePath}/${missing}` : instancePath, message }
  })
  return refuse(reply, 422, "validation_failed", "Some fields are wrong.", faults)
}

/** What the database found wrong with a create: the store is missing, or the id is taken. */
const onConflict = (error: unknown, reply: FastifyReply) => {
  const code = error instanceof DatabaseError ? error.code : undefined
  if (code === "23503")
    return refuse(reply, 422, "validation_failed", "There is no such store.", [
      { path: "/store_id", message: "not found" },
    ])
  if (code === "23505") return refuse(reply, 409, "id_taken", "There is a product with this id.")
  throw error
}

/** Every request: an id to answer with, then a key that is alive and has the scope of the method. */
const guard = (app: FastifyInstance, pool: Pool) => {
  app.decorateRequest("account", "")
  app.addHook("onRequest", async (request, reply) => {
    reply.header("X-Request-Id", request.id)
    const key = await Keys.authenticate(pool, request.headers.authorization)
    if (key === undefined) {
      reply.header("WWW-Authenticate", "Bearer")
      return refuse(reply, 401, "unauthorized", "Send a valid API key.")
    }
    const scope = request.method === "GET" ? "read" : "write"
    if (!key.scopes.includes(scope)) return refuse(reply, 403, "scope_missing", `The key lacks the scope ${scope}.`)
    request.account = key.account_id
    return undefined
  })
}

const get = (app: FastifyInstance, pool: Pool) =>
  app.get<{ Params: { id: string } }>(
    "/api/v1/products/:id",
    { schema: { response: { 200: Schema.product } } },
    async ({ params, account }, reply) => {
      const values = [account, params.id]
      const { rows } = uuid.test(params.id) ? await pool.query({ name: "get", text: Tables.get, values }) : { rows: [] }
      return rows[0] ?? refuse(reply, 404, "not_found", "There is no such product.")
    },
  )

const create = (app: FastifyInstance, pool: Pool) =>
  app.post<{ Body: Create }>(
    "/api/v1/products",
    { schema: { body: Schema.create, response: { 201: Schema.product } } },
    async ({ body, account }, reply) => {
      const now = new Date().toISOString()
      const record = {
        id: body.id ?? Uuid.v7(),
        account_id: account,
        name: body.name,
        description: body.description ?? null,
        store_id: body.store_id,
        customizable: body.customizable ?? true,
        base_image_url: body.base_image_url ?? null,
        variants: body.variants ?? [],
        created_at: now,
        updated_at: now,
      }
      const { id, name, description, store_id, customizable, base_image_url, variants } = record
      const columns = [account, id, name, description, store_id, customizable, base_image_url, JSON.stringify(variants)]
      const values = [...columns, now, now, Uuid.v7(), JSON.stringify(record)]
      try {
        await pool.query({ name: "create", text: Tables.create, values })
      } catch (error) {
        return onConflict(error, reply)
      }
      return reply.code(201).header("Location", `/api/v1/products/${id}`).send(record)
    },
  )

const list = (app: FastifyInstance, pool: Pool) =>
  app.get<{ Querystring: { page?: string; per_page?: string; q?: string } }>(
    "/api/v1/products",
    { schema: { querystring: Schema.query, response: { 200: Schema.page } } },
    async ({ query, account }) => {
      const page = Number(query.page ?? 1)
      const per_page = Math.min(100, Number(query.per_page ?? 20))
      const pattern = query.q === undefined ? [] : [`%${query.q.replace(/[%_\\]/g, "\\$&")}%`]
      const matching = (parameter: string) => (pattern.length === 0 ? "" : `AND name ILIKE ${parameter}`)
      // Unnamed: a search wants a plan for its own pattern, not a prepared one for any.
      const [counted, found] = await Promise.all([
        pool.query<{ total: number }>(Tables.count(matching("$2")), [account, ...pattern]),
        pool.query(Tables.page(matching("$4")), [account, per_page, (page - 1) * per_page, ...pattern]),
      ])
      const total = counted.rows[0]?.total ?? 0
      return { data: found.rows, meta: { page, per_page, total, total_pages: Math.ceil(total / per_page) } }
    },
  )

/** An account with a key, a store and a product. */
const seed = async (pool: Pool, account: string) => {
  const store = Uuid.v7()
  const product = Uuid.v7()
  await pool.query("INSERT INTO stores VALUES ($1, $2, 'Main', 'shopstack')", [account, store])
  await pool.query("INSERT INTO products VALUES ($1, $2, 'Mug', NULL, $3, true, NULL, '[]', now(), now())", [
    account,
    product,
    store,
  ])
  return { account, store, product, key: await Keys.create(pool, account) }
}

/** Creates the tables, two accounts, and listens. */
export const makeHttpApi = async (databaseUrl: string): Promise<HttpApi> => {
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  await pool.query(Tables.tables)
  const app = fastify({
    ajv: { customOptions: { allErrors: true, coerceTypes: false } },
    bodyLimit: 10 * 1024 * 1024,
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"]
      return typeof given === "string" && sane.test(given) ? given : Uuid.v7()
    },
  })
  app.setErrorHandler<FastifyError>((error, _request, reply) => onError(error, reply))
  guard(app, pool)
  get(app, pool)
  create(app, pool)
  list(app, pool)
  const url = await app.listen({ host: "127.0.0.1", port: 0 })
  const [main, other] = [await seed(pool, Uuid.v7()), await seed(pool, Uuid.v7())]
  return { url, ...main, other, products: Tables.products }
}
