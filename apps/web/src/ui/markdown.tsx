import { Suspense, lazy } from 'react'
import { loadPart } from './load-part.ts'
import { visible } from '../words/visible.ts'

const Parts = lazy(async () => {
  const { MarkdownParts } = await loadPart(() => import('./markdown-parts.tsx'))
  return { default: MarkdownParts }
})

/** What agents and people write: no HTML, no images, and links that say where they lead. Plain text until it is loaded. */
export function Markdown({ children }: { children: string }) {
  const text = visible(children)
  return (
    <Suspense fallback={<p>{text}</p>}>
      <Parts text={text} />
    </Suspense>
  )
}
