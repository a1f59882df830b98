/** Sending a test event: which, with what in it, and what became of it. */
import type { Dashboard } from "@tc/api"
import { Box, Button, Group, NativeSelect, Skeleton, Stack, Text, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useQuery } from "@tanstack/react-query"
import { useChange } from "../Client.ts"
import { Excerpt, OutcomeLine } from "../deliveries/Outcome.tsx"
import { useFocus } from "../parts/Focus.ts"
import { Form } from "../parts/Form.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { LoadingButton } from "../parts/LoadingButton.tsx"
import { isJson } from "../parts/Objects.ts"
import { Problem } from "../parts/Problem.tsx"
import { type EventType, eventTypes, grouped, spoken } from "./EventTypes.ts"
import { type Endpoint, stale, test, type TestResult } from "./WebhookEndpoints.ts"

type Data = typeof Dashboard.EndpointTest.Type.data

interface Input {
  readonly event: string
  readonly data: string
}

/** The object that a text is in JSON, or undefined. */
export const objectOf = (text: string): Data => {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What is wrong with it, and where, in the words of the browser. */
const wrongObject = (text: string): string | null => {
  try {
    return isJson(JSON.parse(text)) ? null : "This is no JSON object: { … }."
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : "…"}`
  }
}

const Outcome = ({ result }: { result: TestResult }) => (
  <Box role="status">
    <Text size="sm" fw={500} mb={4}>
      Outcome
    </Text>
    <Stack gap="xs">
      <OutcomeLine outcome={result} />
      {result.status_code !== null && <Excerpt text={result.response_excerpt} label="The start of the answer" />}
    </Stack>
  </Box>
)

interface Props {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

const sampleOf = ({ sample }: EventType): string => JSON.stringify(sample, null, 2)

/** Sends what the form has; the form lets nothing through that is no object. */
const useTest = ({ id }: Endpoint, types: ReadonlyArray<EventType>) =>
  useChange(
    ({ event, data }: Input) => {
      const type = types.find(({ name }) => name === event)
      const object = objectOf(data)
      if (type === undefined) throw new Error("The event is not in the catalogue.")
      return test({ id, event: type.name, ...(object === undefined ? {} : { data: object }) })
    },
    { stale, leavable: true },
  )

const Fields = ({ endpoint, types, onClose }: Props & { types: ReadonlyArray<EventType> }) => {
  const first = types.find(({ name }) => endpoint.events.some((one) => one === name)) ?? types[0]
  const form = useForm<Input>({
    initialValues: { event: first?.name ?? "", data: first === undefined ? "{}" : sampleOf(first) },
    validate: { data: (data) => wrongObject(data) },
    validateInputOnChange: ["data"],
  })
  const change = useTest(endpoint, types)
  const event = useFocus<HTMLSelectElement>()
  const sampled = (name: string) => {
    const type = types.find((one) => one.name === name)
    return type === undefined ? "{}" : sampleOf(type)
  }
  const { event: chosen, data } = form.values
  const isSample = data === sampled(chosen)
  // What somebody has written is not taken from them.
  const choose = (name: string) => form.setValues(isSample ? { event: name, data: sampled(name) } : { event: name })
  return (
    <Form form={form} change={change} onSent={() => undefined}>
      <Stack>
        <NativeSelect
          label="Event"
          description="It is sent once, now, whether the endpoint subscribes to it or not, and counts for nothing. Its receiver cannot tell it from a real one."
          ref={event}
          data={grouped(types).map(([name, found]) => ({ group: spoken(name), items: found.map((type) => type.name) }))}
          {...form.getInputProps("event")}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
        <Textarea
          label="Data"
          description="What the event carries: a sample, which you can change."
          rows={10}
          resize="vertical"
          spellCheck={false}
          classNames={{ input: "mono" }}
          {...form.getInputProps("data")}
        />
        <Group justify="flex-end">
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={isSample}
            onClick={() => form.setFieldValue("data", sampled(chosen))}
          >
            Back to the sample
          </Button>
        </Group>
        <Problem error={change.error} />
        {change.data !== undefined && !change.isPending && <Outcome result={change.data} />}
        {change.isPending && (
          <Text size="sm" c="dimmed" role="status">
            Waiting for the receiver, 30 seconds at most.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <LoadingButton type="submit" loading={change.isPending}>
            {change.data === undefined ? "Send test event" : "Send again"}
          </LoadingButton>
        </Group>
      </Stack>
    </Form>
  )
}

export const Test = (props: Props) => {
  const types = useQuery(eventTypes)
  return (
    <Loaded query={types} what="events">
      {types.data === undefined ? <Skeleton h={400} /> : <Fields {...props} types={types.data} />}
    </Loaded>
  )
}
