/** Products: all of them, and one with its print areas and variants. */
import { Group } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Loaded } from "../parts/Loaded.tsx"
import { type Column, Rows } from "../parts/Rows.tsx"
import { Note, Section } from "../parts/Section.tsx"
import { created } from "../parts/Time.tsx"
import { ByStore } from "./Filters.tsx"
import { Dimmed, ListLink, Name, named, NamedLink, Url } from "./Links.tsx"
import { Listing } from "./Listing.tsx"
import { One } from "./One.tsx"
import { columns as areaColumns } from "./PrintAreas.tsx"
import { records, type Summary } from "./Records.ts"
import { State } from "./State.tsx"

const Customizable = ({ customizable }: { customizable: boolean }) =>
  customizable ? <State label="Customizable" color="teal" /> : <State label="Not customizable" color="gray" />

const columns: ReadonlyArray<Column<Summary<"products">>> = [
  named("products"),
  { name: "Store", cell: ({ store_id }) => <Name kind="stores" id={store_id} /> },
  { name: "State", width: 160, cell: (product) => <Customizable {...product} /> },
  created,
]

const filters = { store_id: ByStore }

export const Products = () => <Listing kind="products" columns={columns} filters={filters} />

const Areas = ({ product_id }: { product_id: string }) => {
  const found = useQuery(records("print_areas", { product_id }))
  return (
    <Section title="Print areas">
      <Loaded query={found} what="print areas">
        {found.data?.data.length === 0 ? (
          <Note>This product has no print areas yet, so that there is nothing to print on.</Note>
        ) : (
          <Rows label="Print areas" columns={areaColumns} rows={found.data?.data} expected={2} id={({ id }) => id} />
        )}
      </Loaded>
    </Section>
  )
}

export const Product = ({ id }: { id: string }) => (
  <One
    kind="products"
    id={id}
    title={({ name }) => name}
    facts={(product) => [
      { name: "State", value: <Customizable {...product} /> },
      { name: "Store", value: <NamedLink kind="stores" id={product.store_id} /> },
      { name: "Description", value: product.description ?? <Dimmed>None</Dimmed> },
      { name: "Base image", value: <Url url={product.base_image_url} /> },
    ]}
    json={({ variants }) => ({ Variants: variants })}
  >
    {() => (
      <>
        <Group mt="lg">
          <ListLink kind="designs" search={{ product_id: id }}>
            Designs of this product
          </ListLink>
        </Group>
        <Areas product_id={id} />
      </>
    )}
  </One>
)
