import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Records from "./Records.ts"
import { start } from "./Service.ts"

const service = await start({ delivery: { brand: "Acme" } })
afterAll(service.stop)

describe("without a key", () => {
  it("/health/live and /health/ready say that all is well", async () => {
    for (const path of ["/health/live", "/health/ready"]) {
      assert.deepInclude(await service.send(path), { status: 200, body: { status: "ok" } })
    }
  })

  it("/openapi.json is the document, under the operator's brand", async () => {
    const { body, status } = await service.send("/openapi.json")
    assert.strictEqual(status, 200)
    assert.strictEqual(body.openapi, "3.1.0")
    assert.lengthOf(Object.keys(body.webhooks), 42)
    const { parameters } = body.webhooks["design.finalized"].post
    assert.include(
      parameters.map(({ name }: { name: string }) => name),
      "X-Acme-Signature",
    )
  })

  it("/docs is a page that loads nothing from elsewhere", async () => {
    const { headers, status, text } = await service.send("/docs")
    assert.strictEqual(status, 200)
    assert.match(headers.get("content-type") ?? "", /^text\/html/)
    assert.match(headers.get("content-security-policy") ?? "", /^default-src 'self' /)
    assert.notMatch(text, /<(?:script|link|img)[^>]+(?:src|href)="https?:/)
  })

  it("/metrics counts requests by method, route and status", async () => {
    await service.get(`/api/v1/templates/${Records.nobody}`)
    await service.get(`/api/v1/templates/${Records.nobody}?x=1`)
    await service.send("/api/v1/templates", { method: "BREW" })
    const { headers, text } = await service.send("/metrics")
    assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0.0.4/)
    assert.include(text, 'http_requests_total{method="GET",route="/api/v1/templates/:id",status="404"} 2')
    assert.include(text, 'http_requests_total{method="other",route="unmatched",status="405"} 1')
    assert.include(text, 'http_request_duration_seconds_count{method="GET",route="/api/v1/templates/:id"} 2')
  })
})
