/** When a key ends: one of a few times, or a date. */
import { NativeSelect, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { expiries, wrongDate } from "./ApiKeys.ts"

export interface ExpiryInput {
  readonly expiry: string
  readonly date: string
}

export const no_expiry: ExpiryInput = { expiry: "90", date: "" }

export const validExpiry = {
  date: (date: string, { expiry }: ExpiryInput) => (expiry === "date" ? wrongDate(date, Date.now()) : null),
}

interface Props {
  readonly form: Pick<UseFormReturnType<ExpiryInput>, "getInputProps" | "getValues">
}

export const Expiry = ({ form }: Props) => (
  <>
    <NativeSelect
      label="Expires"
      description="A key that ends by itself is one less to forget."
      data={expiries.map(({ value, label }) => ({ value, label }))}
      {...form.getInputProps("expiry")}
    />
    {form.getValues().expiry === "date" && (
      <TextInput
        type="date"
        label="Last day"
        description="The key works until the end of this day."
        required
        {...form.getInputProps("date")}
      />
    )}
  </>
)
