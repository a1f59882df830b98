/** Half a million product records in one account, written by the database itself. */
import type { Client } from "pg"

/** Where the records go. */
export interface Table {
  readonly name: string
  /** Each column with its SQL expression over `n` (1, 2, …; the newest is the last), `name`, `account_id` and `store_id`. */
  readonly columns: Readonly<Record<string, string>>
}

/** Whose records, and how many. */
export interface Owner {
  readonly account: string
  readonly store: string
  readonly count: number
}

const list = (words: string) => `(ARRAY['${words.split(" ").join("','")}'])`

const makes =
  "Vintage Classic Heavyweight Slim Oversized Organic Recycled Everyday Premium Kids Travel Studio Winter Summer"
const materials =
  "Cotton Linen Denim Fleece Canvas Leather Ceramic Steel Bamboo Felt Acrylic Wool Satin Jersey Paper Glass"
const things =
  "Hoodie Shirt Mug Tote Cap Poster Notebook Phone-Case Sticker Apron Cushion Blanket Bottle Tumbler Socks Jacket Sweater " +
  "Backpack Keyring Puzzle Calendar Coaster Magnet Banner Flag Towel Bandana Scarf Beanie Onesie Bib Mousepad Lanyard Badge " +
  "Ornament Candle Planner Postcard Wallet Umbrella Doormat Clock Tray Platter Board Frame Pennant Curtain Rug Lamp"

/** Like "Organic Linen Mug 48213": one in 50 is a mug, so `mug` is selective and far from unique. */
const name = [makes, materials, things]
  .map((words) => `${list(words)}[1 + floor(random() * ${words.split(" ").length})::int]`)
  .join(" || ' ' || ")

/** Writes the owner's records and brings the table's statistics and visibility map up to date. */
export const fill = async (client: Client, table: Table, owner: Owner): Promise<void> => {
  const columns = Object.keys(table.columns).join(", ")
  const values = Object.values(table.columns).join(", ")
  await client.query(
    `INSERT INTO ${table.name} (${columns})
     SELECT ${values}
     FROM (SELECT n, ${name} || ' ' || n AS name, $1::uuid AS account_id, $2::uuid AS store_id FROM generate_series(1, $3::int) n) r`,
    [owner.account, owner.store, owner.count],
  )
  await client.query(`VACUUM ANALYZE ${table.name}`)
}
