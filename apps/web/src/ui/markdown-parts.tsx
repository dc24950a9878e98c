import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type ReactNode, useMemo } from 'react'
import { drawMarkdown } from './draw-markdown.tsx'
import styles from './markdown.module.css'

/** Drawn from what the parser finds: a detour over HTML, as for any renderer, would weigh as much again. */
export function MarkdownParts({ text }: { text: string }) {
  const drawn: ReactNode = useMemo(
    () =>
      drawMarkdown(
        fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
      ),
    [text],
  )
  return <div className={styles['markdown']}>{drawn}</div>
}
