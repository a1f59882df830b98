/** Creating an endpoint, or changing one: where events go, and which. */
import { Stack, TextInput } from "@mantine/core"
import { useForm, type UseFormReturnType } from "@mantine/form"
import type { UseMutationResult } from "@tanstack/react-query"
import { Foot } from "../parts/Foot.tsx"
import { Form } from "../parts/Form.tsx"
import { Advanced } from "./Advanced.tsx"
import { EventChoice } from "./EventChoice.tsx"
import { type Input, inputOf, validOf } from "./Settings.ts"
import { type Endpoint, isForTrying } from "./WebhookEndpoints.ts"

interface UrlProps {
  readonly form: UseFormReturnType<Input>
  /** The one that the endpoint has, which the server has taken. */
  readonly present: string | undefined
  readonly wrong: (url: string) => string | null
}

const Url = ({ form, present, wrong }: UrlProps) => {
  const { url } = form.values
  return (
    <TextInput
      label="URL"
      description={
        isForTrying(url) && url !== present
          ? "Only a server started with TC_WEBHOOK_ALLOW_PRIVATE=true, to try things out, sends there; others to https:// and public addresses."
          : "Where events are posted to, such as https://example.com/webhooks."
      }
      type="url"
      inputMode="url"
      required
      data-autofocus
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: "mono" }}
      {...form.getInputProps("url")}
      onChange={({ currentTarget: { value } }) => {
        form.setFieldValue("url", value)
        // Who has only begun is not told that it is wrong.
        const begun = "https://".startsWith(value) || "http://".startsWith(value)
        form.setFieldError("url", begun ? null : wrong(value))
      }}
    />
  )
}

interface Props<Output> {
  /** The endpoint to change, or null for a new one. */
  readonly endpoint: Endpoint | null
  readonly change: UseMutationResult<Output, Error, Input>
  readonly action: string
  readonly onSent: (output: Output) => void
  readonly onClose: () => void
}

export const SettingsForm = <Output,>({ endpoint, change, action, onSent, onClose }: Props<Output>) => {
  const validate = validOf(endpoint)
  const form = useForm<Input>({ initialValues: inputOf(endpoint), validate })
  const { all, events } = form.values
  const wrong = form.errors["events"]
  return (
    <Form form={form} change={change} onSent={onSent}>
      <Stack>
        <Url form={form} present={endpoint?.url} wrong={validate.url} />
        <TextInput
          label="Description (optional)"
          description="What receives the events, such as “Order desk”. Only members see it."
          maxLength={1000}
          autoComplete="off"
          {...form.getInputProps("description")}
        />
        <EventChoice
          all={all}
          chosen={events}
          error={typeof wrong === "string" ? wrong : undefined}
          onAll={(value) => {
            form.setFieldValue("all", value)
            form.clearFieldError("events")
          }}
          onChosen={(value) => form.setFieldValue("events", value)}
        />
        <Advanced form={form} />
        <Foot change={change} action={action} onClose={onClose} />
      </Stack>
    </Form>
  )
}
