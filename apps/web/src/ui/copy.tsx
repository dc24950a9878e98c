import { useState } from 'react'
import { Button } from './button.tsx'
import styles from './copy.module.css'
import { Icon } from './icon.tsx'
import { Text } from './text.tsx'
import { toClipboard } from './to-clipboard.ts'

function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    if (await toClipboard(text)) setCopied(true)
  }
  return { isCopied, copy }
}

/** A text that somebody wants to keep, with a button that copies it. */
export function CopyText({ text, what }: { text: string; what: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <div className={styles['copy']}>
      {/* a long one is scrolled, also by keys */}
      <div className={styles['text']} role="group" aria-label={what} tabIndex={0}>
        <Text>{text}</Text>
      </div>
      <Button onClick={() => void copy()} aria-label={`Copy ${what}`}>
        <Icon name={isCopied ? 'check' : 'copy'} />
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}

/** A command for a terminal, with a button that copies it. */
export function CopyCommand({ command }: { command: string }) {
  const { isCopied, copy } = useCopy(command)
  return (
    <div className={styles['copy']}>
      <code>{command}</code>
      <Button onClick={() => void copy()} aria-label={`Copy ${command}`}>
        <Icon name={isCopied ? 'check' : 'copy'} />
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
