/** How a record stands, as a word in a colour. */
import { Badge } from "@mantine/core"
import type { Asset, Design, Store } from "@tc/domain"

interface Word {
  readonly label: string
  readonly color: string
}

export const State = ({ label, color }: Word) => <Badge color={color}>{label}</Badge>

export const connections = {
  pending: { label: "Pending", color: "yellow" },
  connected: { label: "Connected", color: "teal" },
  error: { label: "Error", color: "red" },
} as const satisfies Record<Store.Store["connection_status"], Word>

export const design_statuses = {
  draft: { label: "Draft", color: "gray" },
  finalized: { label: "Finalized", color: "teal" },
} as const satisfies Record<Design.Design["status"], Word>

/** A cart holds what is finalized, which is more to know. */
export const designState = ({ status, cart_locked }: Pick<Design.Design, "status" | "cart_locked">): Word =>
  cart_locked ? { label: "In a cart", color: "accent" } : design_statuses[status]

export const asset_types = {
  clipart: { label: "Clipart", color: "accent" },
  font: { label: "Font", color: "teal" },
  background: { label: "Background", color: "yellow" },
} as const satisfies Record<Asset.Asset["asset_type"], Word>

/** Whether something is in use. */
export const Active = ({ active }: { active: boolean }) =>
  active ? <State label="Active" color="teal" /> : <State label="Not active" color="gray" />

export const yes = (value: boolean): string => (value ? "Yes" : "No")
