/** One canvas as a picture, with what could not be shown of it. */
import { Button, Skeleton, Stack, Text } from "@mantine/core"
import { IconBrush } from "@tabler/icons-react"
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { counted } from "../../parts/Count.ts"
import { ASKED, costOf, MOST } from "./Cost.ts"
import type { Drawing } from "./Draw.ts"
import type { Canvas, Frame } from "./Surfaces.ts"

interface Props {
  readonly name: string
  readonly canvas: Canvas
  /** What is shown of it; all that is drawn where that is null. */
  readonly area: Frame | null
}

/** Null until it is drawn. */
type Told = Drawing | "broken" | null

/** Draws into an element, once it is `wanted`, and again when the canvas is another. */
const useDrawing = ({ canvas, area }: Props, wanted: boolean) => {
  const place = useRef<HTMLDivElement>(null)
  const [told, setTold] = useState<Told>(null)
  useEffect(() => {
    if (!wanted) return
    let drawing: Drawing | null = null
    let left = false
    const start = async () => {
      const { draw } = await import("./Draw.ts")
      const made = await draw(canvas, area)
      if (left) return made.dispose()
      drawing = made
      setTold(made)
    }
    start().catch(() => {
      if (!left) setTold("broken")
    })
    return () => {
      left = true
      drawing?.dispose()
      setTold(null)
    }
  }, [canvas, area, wanted])
  // The place is there only once there is something to put into it.
  useLayoutEffect(() => {
    if (told !== null && told !== "broken") place.current?.replaceChildren(told.element)
  }, [told])
  return { place, told }
}

const Notes = ({ told }: { told: Told }) => {
  if (told === null || told === "broken") return null
  const { missing, failed } = told
  return (
    <Stack gap={4} mt="xs" role="status">
      {missing > 0 && (
        <Text size="sm">
          {counted(missing, "picture")} could not be loaded: this page loads nothing from other hosts. Grey fields stand
          in for what is missing.
        </Text>
      )}
      {failed > 0 && (
        <Text size="sm">{counted(failed, "object")} could not be drawn. The JSON below has all of them.</Text>
      )}
    </Stack>
  )
}

const Instead = ({ children, action }: { children: string; action?: ReactNode }) => (
  <Stack align="center" justify="center" p="xl" className="sheet-none">
    <Text size="sm" c="dimmed" ta="center">
      {children}
    </Text>
    {action}
  </Stack>
)

export const Sheet = (props: Props) => {
  const { name, canvas, area } = props
  const cost = useMemo(() => costOf(canvas), [canvas])
  const [asked, setAsked] = useState(false)
  const { place, told } = useDrawing(props, cost <= ASKED || asked)
  if (cost > MOST) return <Instead>This canvas is too large to be drawn here. Its JSON is below.</Instead>
  if (cost > ASKED && !asked)
    return (
      <Instead
        action={
          <Button variant="default" leftSection={<IconBrush size={16} aria-hidden />} onClick={() => setAsked(true)}>
            Draw it
          </Button>
        }
      >
        This canvas is large. Drawing it may take a few seconds.
      </Instead>
    )
  if (told === "broken") return <Instead>This canvas could not be drawn. Its JSON is below.</Instead>
  const ratio = area === null ? 1 : area.width / area.height
  return (
    <>
      <div className="sheet">
        <div
          ref={place}
          role="img"
          aria-label={`${name}, drawn: ${counted(canvas.objects.length, "object")}`}
          aria-busy={told === null}
          hidden={told === null}
        />
        {told === null && <Skeleton w="100%" h="auto" style={{ aspectRatio: ratio }} />}
      </div>
      <Notes told={told} />
    </>
  )
}
