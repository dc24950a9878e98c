import type { InboxItem } from '@svc/contracts/inbox-item'
import type { RouteRequest } from '@svc/contracts/rest'

/** What is being written of an item; as a text it is the draft. */
export interface ItemForm {
  title: string
  text: string
}

export function formOf({ title, text }: Pick<InboxItem, 'title' | 'text'>): ItemForm {
  return { title, text: text ?? '' }
}

/** The same form is always the same text. */
export function writeForm({ title, text }: ItemForm): string {
  return JSON.stringify({ title, text })
}

/** What is no form, as a draft of another version may be, is an empty one. */
export function readForm(written: string): ItemForm {
  try {
    const given: unknown = JSON.parse(written)
    // an object has its values by their names
    const { title, text } = Object(given) as Record<string, unknown>
    return { title: textOf(title), text: textOf(text) }
  } catch {
    return { title: '', text: '' }
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** What of it is other than it is kept; an empty text is none. */
export function changesOf(
  item: InboxItem,
  form: ItemForm,
): Pick<RouteRequest<'updateInboxItem'>, 'title' | 'text'> {
  const title = form.title.trim()
  const text = form.text.trim() === '' ? null : form.text
  return { ...(title !== item.title && { title }), ...(text !== item.text && { text }) }
}

/** As a text that people compare. */
export function describeForm({ title, text }: ItemForm): string {
  return text === '' ? title : `${title}\n\n${text}`
}
