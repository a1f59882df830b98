/** One setting of the environment: how its text is read, and what it says when it cannot be. Pure. */
import { Retry } from "@tc/webhooks"
import { Result } from "effect"

/** What is wrong with the environment: which variable, what was given, what is allowed. */
export interface Problem {
  readonly name: string
  /** What was given, without giving a secret away; null when nothing was. */
  readonly given: string | null
  readonly allowed: string
}

/** How to read a variable: a value, or undefined where the text is not allowed. */
export interface Setting<A> {
  readonly allowed: string
  readonly secret?: boolean
  readonly read: (text: string) => A | undefined
}

export type Environment = { readonly [name: string]: string | undefined }

/** Reads one variable; one that is empty counts as missing, as shells and containers have it. */
export const read = <A, B>(
  env: Environment,
  name: string,
  setting: Setting<A>,
  fallback: B,
): Result.Result<A | B, Problem> => {
  const text = env[name]?.trim() ?? ""
  if (text === "") return Result.succeed(fallback)
  const value = setting.read(text)
  return value === undefined
    ? Result.fail({
        name,
        given: setting.secret === true ? `a secret of ${text.length} characters` : JSON.stringify(text),
        allowed: setting.allowed,
      })
    : Result.succeed(value)
}

/** The problem as a sentence. */
export const describe = ({ name, given, allowed }: Problem): string =>
  `${name} is ${given ?? "missing"}; it must be ${allowed}.`

export const text = (allowed: string, pattern: RegExp): Setting<string> => ({
  allowed,
  read: (value) => (pattern.test(value) ? value : undefined),
})

export const integer = (minimum: number, maximum: number): Setting<number> => ({
  allowed: `a whole number from ${minimum} to ${maximum}`,
  read: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    return number >= minimum && number <= maximum ? number : undefined
  },
})

export const oneOf = <const A extends string>(...values: ReadonlyArray<A>): Setting<A> => ({
  allowed: values.map((value) => `"${value}"`).join(" or "),
  read: (given) => values.find((value) => value === given),
})

export const boolean: Setting<boolean> = {
  allowed: `"true" or "false"`,
  read: (value) => (value === "true" ? true : value === "false" ? false : undefined),
}

/** Milliseconds from a whole number and its unit, such as `30s`. */
export const duration = (allowed: string, minimum: number, maximum: number): Setting<number> => ({
  allowed,
  read: (value) => {
    const millis = Retry.parseDuration(value)
    return millis !== undefined && millis >= minimum && millis <= maximum ? millis : undefined
  },
})
