/** What a form is made of: texts, and what is ticked. */
export type Form = Readonly<Record<string, string | boolean>>

/** Those fields alone that are other than they were. */
export function changesFrom<F extends Form>(initial: F, form: Partial<F>): Partial<F> {
  const changed = Object.entries(form).filter(([name, value]) => initial[name] !== value)
  // the entries of a part of the form under the same keys; Object.fromEntries only says string
  return Object.fromEntries(changed) as Partial<F>
}

/** As a draft; nothing where nothing is changed. */
export function writeChanges(changes: Form): string {
  return Object.keys(changes).length === 0 ? '' : JSON.stringify(changes)
}

/** What another version has kept of a form counts as far as it is of this one. */
export function readChanges<F extends Form>(initial: F, text: string | undefined): Partial<F> {
  const given = parse(text)
  const known = Object.entries(given).filter(
    ([name, value]) => Object.hasOwn(initial, name) && typeof initial[name] === typeof value,
  )
  // `filter` has just compared names and types with those of the form
  return Object.fromEntries(known) as Partial<F>
}

function parse(text: string | undefined): object {
  try {
    const given: unknown = JSON.parse(text ?? '')
    return typeof given === 'object' && given !== null ? given : {}
  } catch {
    return {}
  }
}
