import { useState } from 'react'
import { Button } from './button.tsx'
import styles from './copy.module.css'
import { Icon } from './icon.tsx'
import { type Caller, calledBy, chooseCaller, useCaller, useNamedWorkspace } from './svc-caller.ts'
import { Text } from './text.tsx'
import { toClipboard } from './to-clipboard.ts'

function useCopy(text: string) {
  // another text that stands in its place was not copied
  const [copied, setCopied] = useState<string>()
  const copy = async () => {
    if (await toClipboard(text)) setCopied(text)
  }
  return { isCopied: copied === text, copy }
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

interface CopyCommandProps {
  /** Written with `svc`, where that is called. */
  command: string
  /** How that is called where nobody has said so yet. */
  likely?: Caller | undefined
}

/** A command for a terminal, with a button that copies it. Who has copied it as it is typed there gets all as it is typed there. */
export function CopyCommand({ command, likely }: CopyCommandProps) {
  const caller = useCaller(likely)
  const workspace = useNamedWorkspace()
  const line = calledBy(caller, command, workspace)
  const { isCopied, copy } = useCopy(line)
  return (
    <div className={styles['copy']}>
      <code>{line}</code>
      <Button
        aria-label={`Copy ${line}`}
        onClick={() => {
          if (line !== calledBy('installed', command, workspace)) chooseCaller(caller)
          void copy()
        }}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
