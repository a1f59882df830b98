/** How the name of a resource or an event, such as `print_area` or `design.finalized`, is written elsewhere. */

/** In a sentence: `print area`. */
export const spoken = (name: string): string => name.replaceAll("_", " ")

/** One of them in a sentence: `an asset`. */
export const one = (name: string): string => `${/^[aeiou]/.test(name) ? "an" : "a"} ${spoken(name)}`

/** As the name of a component in the OpenAPI document: `PrintArea`, `DesignFinalized`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[._])(.)/g, (_, letter: string) => letter.toUpperCase())
