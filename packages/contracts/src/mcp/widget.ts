export const widgetNames = [
  'project-selector',
  'mission-list',
  'objective-viewer',
  'file-changes',
] as const
export type WidgetName = (typeof widgetNames)[number]

declare const drawn: unique symbol

/** Something that is drawn. Nothing of a result is, so whatever a result holds can only become text. */
export interface Drawn {
  readonly [drawn]: true
}
export type Child = Drawn | string | number | false | null | undefined

/** What a view draws with. */
export interface Pencil {
  /** `kind` is the name of an element and its classes, as in `p.note`. */
  draw: (kind: string, ...children: Child[]) => Drawn
  /** A few words in a frame, coloured by what they say where the style knows them. */
  tag: (words: string) => Drawn
  /** Draws at most 50 items, and says how many are left out. */
  list: <Item>(items: readonly Item[], row: (item: Item) => Drawn) => Drawn[]
  day: (timestamp: string) => Drawn
}

/** The view of the results of one tool. */
export interface Widget<Output> {
  title: string
  description: string
  /** What is said of a result for which nothing is drawn. */
  empty: string
  /**
   * Runs in the browser, as text: it may use its parameters alone. The server sends what `Output` says; what does not
   * fit throws here, and is reported as a result that cannot be shown.
   */
  view: (output: Output, pencil: Pencil) => Child[]
}

export function widgetUri(name: WidgetName): string {
  return `ui://svc/${name}.html`
}
