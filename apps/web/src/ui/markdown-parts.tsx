import type { ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import styles from './markdown.module.css'

const allowed = ['https:', 'http:', 'mailto:']

export function MarkdownParts({ text }: { text: string }) {
  return (
    <div className={styles['markdown']}>
      <ReactMarkdown
        skipHtml
        remarkPlugins={[remarkGfm]}
        disallowedElements={['img', 'input']}
        unwrapDisallowed
        // whatever it is, the link below decides
        urlTransform={(url) => url}
        components={{
          a: ({ href = '', children }) => <Outside href={href}>{children}</Outside>,
          // the headings of the page are its own
          h1: 'h3',
          h2: 'h3',
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}

/** Its host stands next to it, whatever its text says. */
function Outside({ href, children }: { href: string; children: ReactNode }) {
  const url = URL.parse(href)
  if (url === null || !allowed.includes(url.protocol)) return <span>{children}</span>
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {url.host !== '' && <span className={styles['host']}> ({url.host})</span>}
    </>
  )
}
