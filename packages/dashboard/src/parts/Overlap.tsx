/** For how long something that is replaced goes on working, as people choose it. */
import { Radio, Stack } from "@mantine/core"

interface Props {
  readonly label: string
  /** What stopping it now is for, and whom a week is for. */
  readonly now: string
  readonly week: string
  /** What the form knows of the field. */
  readonly input: object
}

/** Seconds of the choice that stands at first, as the field has them. */
export const DAY = "86400"

export const Overlap = ({ label, now, week, input }: Props) => (
  <Radio.Group label={label} {...input}>
    <Stack gap="sm" mt="xs">
      <Radio value="0" label="Stop it now" description={now} />
      <Radio value="3600" label="1 hour" description="For a change that you make right away." />
      <Radio value={DAY} label="24 hours" description="For a change that goes out with the next release." />
      <Radio value="604800" label="7 days" description={week} />
    </Stack>
  </Radio.Group>
)
