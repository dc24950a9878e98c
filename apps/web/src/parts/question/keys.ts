import type { Question } from '@svc/contracts/question'
import type { Key } from '../../shell/keys.ts'

interface Does {
  choose: (optionId: string) => void
  write: () => void
}

/** The first nine options by their numbers, and the field for other words. */
export function questionKeys(
  { options, allowFreeText }: Pick<Question, 'options' | 'allowFreeText'>,
  { choose, write }: Does,
): Key[] {
  const numbered = options.slice(0, 9).map(({ id, label }, index) => ({
    keys: String(index + 1),
    does: `answer “${shortened(label)}”`,
    run: () => choose(id),
  }))
  const takesText = allowFreeText || options.length === 0
  return [...numbered, ...(takesText ? [{ keys: 'a', does: 'write an answer', run: write }] : [])]
}

function shortened(label: string): string {
  return label.length > 40 ? `${label.slice(0, 40)}…` : label
}
