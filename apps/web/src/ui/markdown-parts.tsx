import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import styles from './markdown.module.css'
import { Outside } from './outside.tsx'

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
