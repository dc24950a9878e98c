import { visible } from '../../words/visible.ts'
import { markedParts } from './marked.ts'

/** What somebody else has written, with the words that were looked for. */
export function Marked({ children, query }: { children: string; query: string }) {
  return (
    <bdi>
      {markedParts(visible(children), query).map(({ text, isFound }, at) =>
        isFound ? <mark key={at}>{text}</mark> : text,
      )}
    </bdi>
  )
}
