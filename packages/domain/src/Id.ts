/** Ids: UUIDs in lower case, each branded for what it identifies, so that one kind cannot stand in for another. */
import { Schema, SchemaTransformation } from "effect"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u
const UUID_ANY_CASE = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/u

/** The schema of one kind of id. `input` takes either case, as PostgreSQL does, and gives lower case. */
export const make = <const Brand extends string>(brand: Brand) => {
  const id = Schema.String.annotate({ format: "uuid" })
    .check(Schema.isPattern(UUID, { expected: "a UUID" }))
    .pipe(Schema.brand<Brand>(brand as never))
  const input = Schema.String.annotate({ format: "uuid" })
    .check(Schema.isPattern(UUID_ANY_CASE, { expected: "a UUID" }))
    .pipe(Schema.decodeTo(id, SchemaTransformation.toLowerCase()))
  return { id, input }
}

export const AccountId = make("AccountId")
export type AccountId = typeof AccountId.id.Type
export const StoreId = make("StoreId")
export type StoreId = typeof StoreId.id.Type
export const ProductId = make("ProductId")
export type ProductId = typeof ProductId.id.Type
export const PrintAreaId = make("PrintAreaId")
export type PrintAreaId = typeof PrintAreaId.id.Type
export const TemplateId = make("TemplateId")
export type TemplateId = typeof TemplateId.id.Type
export const DesignId = make("DesignId")
export type DesignId = typeof DesignId.id.Type
export const AssetId = make("AssetId")
export type AssetId = typeof AssetId.id.Type
export const WebhookEndpointId = make("WebhookEndpointId")
export type WebhookEndpointId = typeof WebhookEndpointId.id.Type
export const EventId = make("EventId")
export type EventId = typeof EventId.id.Type
export const DeliveryId = make("DeliveryId")
export type DeliveryId = typeof DeliveryId.id.Type
export const RecoveryId = make("RecoveryId")
export type RecoveryId = typeof RecoveryId.id.Type
export const ApiKeyId = make("ApiKeyId")
export type ApiKeyId = typeof ApiKeyId.id.Type
export const MemberId = make("MemberId")
export type MemberId = typeof MemberId.id.Type
export const SessionId = make("SessionId")
export type SessionId = typeof SessionId.id.Type
export const InvitationId = make("InvitationId")
export type InvitationId = typeof InvitationId.id.Type
export const AuditEntryId = make("AuditEntryId")
export type AuditEntryId = typeof AuditEntryId.id.Type

/** Ids that are seen in events only. */
export const BulkOrderId = make("BulkOrderId")
export const BulkOrderItemId = make("BulkOrderItemId")
export const PrintFileId = make("PrintFileId")
export const MockupId = make("MockupId")
export const PricingRuleId = make("PricingRuleId")
export const PrintingMethodId = make("PrintingMethodId")

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const hex = (byte: number): string => HEX[byte & 0xff]!

/** A UUIDv7 (RFC 9562): 48 bits of `millis`, then random bits from 10 bytes of those given, from `offset` on. */
export const uuidV7 = (millis: number, random: Uint8Array, offset = 0): string => {
  const time = millis.toString(16).padStart(12, "0")
  const at = (index: number) => random[offset + index] ?? 0
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-${hex(0x70 | (at(0) & 0x0f))}${hex(at(1))}-${hex(0x80 | (at(2) & 0x3f))}${hex(at(3))}-` +
    `${hex(at(4))}${hex(at(5))}${hex(at(6))}${hex(at(7))}${hex(at(8))}${hex(at(9))}`
  )
}

const NOTHING = new Uint8Array(10)

/** The least UUIDv7 of a millisecond: ids grow with time, so that a span of time is a range of ids. */
export const least = (millis: number): string => uuidV7(Math.max(0, millis), NOTHING)
