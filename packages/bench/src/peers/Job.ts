/** The job that every peer does for a delivery, as the floor does it: sign, POST, and hand back what is to be recorded. */
import { randomUUID } from "node:crypto"
import * as Sender from "../FloorSender.ts"
import type { Options } from "../Pipeline.ts"

/** A delivery as the peer keeps it. */
export interface Job {
  readonly id: string
  readonly event: string
  /** The number of the endpoint. */
  readonly endpoint: number
  readonly occurred_at: string
  readonly data: object
}

export interface Jobs {
  /** As `Pipeline` describes it. */
  readonly subscribe: (urls: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>
  /** The jobs of one event, one for each endpoint of the account. */
  readonly of: (event: string, data: object, account: number) => ReadonlyArray<Job>
  /** Does a job; rejects when there is no 2xx. */
  readonly run: (job: Job) => Promise<Sender.Result>
}

/** Endpoints are kept in memory: no peer has to look them up. */
export const make = ({ accounts }: Options): Jobs => {
  let endpoints: ReadonlyArray<Sender.Endpoint> = []
  return {
    subscribe: async (urls) => {
      const secrets = urls.map(() => `whsec_${randomUUID()}`)
      endpoints = urls.map((url, n) => Sender.endpoint(url, secrets[n]!))
      return secrets
    },
    of: (event, data, account) => {
      const occurred_at = new Date().toISOString()
      const mine = [...endpoints.keys()].filter((endpoint) => endpoint % accounts === account)
      return mine.map((endpoint) => ({ id: randomUUID(), event, endpoint, occurred_at, data }))
    },
    run: async ({ id, event, endpoint, occurred_at, data }) => {
      const body = Buffer.from(JSON.stringify({ id, event, occurred_at, api_version: "2026-11", data }))
      const result = await Sender.send(endpoints[endpoint]!, event, id, body)
      if (result.status >= 300) throw new Error(`answered ${result.status}`)
      return result
    },
  }
}
