import { assert, describe, it } from "@effect/vitest"
import * as Target from "../src/Target.ts"

const reason = (url: string, options?: { readonly allow_private?: boolean }) => {
  const judged = Target.check(url, options)
  return judged.ok ? "allowed" : judged.reason
}

const loopback = [
  "https://127.0.0.1/",
  "https://127.1/",
  "https://0x7f.1/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://2130706433/",
  "https://017700000001/",
  "https://127.0.0.1./",
  "https://127.0.0.1:8443/",
  "https://%31%32%37.0.0.1/",
  "https://①②⑦.⓪.⓪.①/",
  "https://127。0。0。1/",
  "https://[::1]/",
  "https://[0:0:0:0:0:0:0:1]:443/",
  "https://localhost/",
  "https://LOCALHOST/",
  "https://localhost./",
  "https://api.localhost/",
  "https://api.localhost.:3000/",
  "https://ⓛocalhost/",
]

const elsewhere = [
  "https://0/",
  "https://0.0.0.0/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://2852039166/",
  "https://192.168.1.1/",
  "https://255.255.255.255/",
  "https://[::]/",
  "https://[::127.0.0.1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:a9fe:a9fe]/",
  "https://[::ffff:8.8.8.8]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[2002:7f00:1::]/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
]

const publicOnes = [
  "https://example.com/webhooks",
  "https://example.com",
  "HTTPS://EXAMPLE.COM/",
  "https://example.com:8443/a?b=c#d",
  "https://example.com./",
  "https://bücher.example/",
  "https://localhost.example.com/",
  "https://notlocalhost/",
  "https://10.example.com/",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]:8443/",
  `https://example.com/${"a".repeat(2048 - 20)}`,
]

describe("the target of an endpoint", () => {
  it.each(publicOnes)("can be %s", (url) => {
    assert.deepStrictEqual(Target.check(url), { ok: true, url: new URL(url) })
  })

  it.each([...loopback, ...elsewhere])("cannot be %s, which is private", (url) => {
    assert.strictEqual(reason(url), "private_address")
  })

  it.each([...loopback, ...elsewhere, "http://localhost:3000/", "http://example.com/"])(
    "can be %s where private ones are allowed",
    (url) => {
      assert.strictEqual(reason(url, { allow_private: true }), "allowed")
    },
  )

  it.each([
    "http://example.com/",
    "http://8.8.8.8/",
    "ftp://example.com/",
    "ws://example.com/",
    "file:///etc/passwd".replace("///", "//h/"),
  ])("cannot be %s, which is not https", (url) => {
    assert.strictEqual(reason(url), "not_https")
  })

  it.each(["ftp://example.com/", "wss://example.com/"])("cannot be %s even where private ones are allowed", (url) => {
    assert.strictEqual(reason(url, { allow_private: true }), "not_https")
  })

  it.each([
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://:pass@example.com/",
    "https://example.com@127.0.0.1/",
  ])("cannot be %s, which has credentials", (url) => {
    assert.strictEqual(reason(url), "has_credentials")
    assert.strictEqual(reason(url, { allow_private: true }), "has_credentials")
  })

  it("cannot have port 0", () => {
    assert.strictEqual(reason("https://example.com:0/"), "invalid_port")
  })

  it.each([
    "",
    "example.com",
    "//example.com/",
    "/webhooks",
    "https:",
    "https://",
    "https:///example.com/",
    "https:example.com",
    "https:\\\\example.com\\",
    "https://\\example.com/",
    "https://example.com:65536/",
    "https://example.com:-1/",
    "https://exa mple.com/",
    " https://example.com/",
    "https://example.com/\n",
    "https://exam\tple.com/",
    "https://example.com/\u0000",
    "https://example.com/a b",
    "https://[::1/",
    "https://[fe80::1%25eth0]/",
    "https://256.0.0.1/",
    "https://1.2.3.4.5/",
    "https://example.com%00/",
    "javascript:alert(1)",
    "mailto:a@example.com",
  ])("cannot be %j, which is no absolute URL", (url) => {
    assert.strictEqual(reason(url), "malformed_url")
  })

  it("is judged without URL.parse, which Node 20 has not", () => {
    const parse = Object.getOwnPropertyDescriptor(URL, "parse") ?? {}
    Reflect.deleteProperty(URL, "parse")
    try {
      assert.deepStrictEqual([reason("https://example.com/"), reason("https://[::1/")], ["allowed", "malformed_url"])
    } finally {
      Object.defineProperty(URL, "parse", parse)
    }
  })

  it("has at most 2,048 characters", () => {
    assert.strictEqual(reason(`https://example.com/${"a".repeat(2048 - 19)}`), "url_too_long")
  })

  it.each([
    ["http://example.com", "The URL must start with https://."],
    ["https://10.0.0.1", "Webhooks go to public addresses only, and 10.0.0.1 is none: it is private."],
    ["https://0x7f.1", "Webhooks go to public addresses only, and 127.0.0.1 is none: it is loopback."],
    ["https://", "This is not an absolute URL, such as https://example.com/webhooks."],
  ])("of %s is refused in words", (url, message) => {
    const judged = Target.check(url)
    assert.strictEqual(judged.ok ? "" : judged.message, message)
  })
})
