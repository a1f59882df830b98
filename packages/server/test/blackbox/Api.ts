/** A client of the REST API. It holds every answer against what is true of all of them. */
import { STATUS_CODES } from "node:http"
import { assert } from "vitest"

/** What the server says in JSON. These tests are about what it is, so they assume nothing of it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** What the text says where it is JSON. */
  readonly body: Json
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "HEAD" | "OPTIONS"

/** Stands in all names and payloads of these tests: it may never come to stand in a log. */
export const MARK = "payload-5b1e"

/** Text that occurs nowhere else. */
export const unique = (): string => `${MARK}-${crypto.randomUUID()}`

const PREFIX = "/api/v1/"

/** The form of every answer, and of every failure. */
const check = ({ body, headers, status, text }: Answer): void => {
  const id = headers.get("x-request-id")
  assert.match(id ?? "", /^[A-Za-z0-9._-]{1,128}$/, "every answer has a request id")
  if (status === 204) assert.strictEqual(text, "")
  if (status < 400 || text === "") return
  assert.match(headers.get("content-type") ?? "", /^application\/json/)
  const { error, message, code, request_id, errors, ...more } = body
  assert.deepStrictEqual({ error, request_id, more }, { error: STATUS_CODES[status], request_id: id, more: {} })
  assert.match(message, /\S.*\.$/, "the message is a sentence")
  assert.match(code, /^[a-z]+(_[a-z]+)*$/)
  assert.strictEqual(Array.isArray(errors), status === 422)
  for (const one of errors ?? []) {
    assert.deepStrictEqual(Object.keys(one), ["path", "message"])
    assert.match(one.path, /^(\/[^/]*)*$/, "a JSON pointer")
    assert.notStrictEqual(one.message, "")
  }
}

export type Api = ReturnType<typeof connect>

/** Calls the server in the name of a key; null stands for none. */
export const connect = (url: string, key: string | null) => {
  /** Sends a body as it is when it is text, else as JSON. */
  const request = async (
    method: Method,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const response = await fetch(new URL(path, url + PREFIX), {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      redirect: "manual",
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
    const read = isJson && text !== "" ? JSON.parse(text) : undefined
    const answer = { status: response.status, headers: response.headers, text, body: read }
    check(answer)
    return answer
  }

  const expect = async (status: number, method: Method, path: string, body?: unknown): Promise<Answer> => {
    const answer = await request(method, path, body)
    assert.strictEqual(answer.status, status, `${method} ${path}: ${answer.text.slice(0, 500)}`)
    return answer
  }

  const list = async (path: string, query: Readonly<Record<string, string>> = {}) => {
    const { body } = await expect(200, "GET", `${path}?${new URLSearchParams(query)}`)
    assert.deepStrictEqual(Object.keys(body), ["data", "meta"])
    return body as { readonly data: ReadonlyArray<Json>; readonly meta: Json }
  }

  return {
    url,
    key,
    request,
    /** A page of records. */
    list,
    /** The events about some records, oldest first, however many others happened meanwhile. */
    eventsAbout: async (...ids: ReadonlyArray<string>): Promise<ReadonlyArray<Json>> => {
      const found = new Map<string, Json>()
      for (const page of ["1", "2", "3", "4", "5"]) {
        const { data } = await list("events", { page, per_page: "100" })
        for (const event of data) if (ids.includes(event.data.id)) found.set(event.id, event)
      }
      return [...found.values()].toReversed()
    },
    create: async (path: string, fields: object) => {
      const { body, headers } = await expect(201, "POST", path, fields)
      assert.strictEqual(headers.get("location"), `${PREFIX}${path}/${body.id}`)
      return body
    },
    get: async (path: string) => (await expect(200, "GET", path)).body,
    modify: async (path: string, fields: object) => (await expect(200, "PATCH", path, fields)).body,
    delete: async (path: string) => {
      await expect(204, "DELETE", path)
    },
    /** An action, such as `designs/:id/finalize`. */
    act: async (path: string, fields?: object) => (await expect(200, "POST", path, fields)).body,
    /** Sends what has to be refused, and answers with the status and the code, such as `404 not_found`. */
    failure: async (method: Method, path: string, body?: unknown): Promise<string> => {
      const answer = await request(method, path, body)
      return `${answer.status} ${answer.body?.code ?? answer.text.slice(0, 500)}`
    },
    /** Sends what has wrong fields, and answers with the pointers to them, sorted. */
    wrong: async (method: Method, path: string, body?: unknown): Promise<ReadonlyArray<string>> => {
      const { code, errors } = (await expect(422, method, path, body)).body
      assert.strictEqual(code, "validation_failed")
      return sorted(errors.map(({ path }: Json) => path))
    },
  }
}

/** Texts in an order of their own, where theirs does not matter. */
export const sorted = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.toSorted()
