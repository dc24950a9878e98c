import type { Question } from '@svc/contracts/question'
import { useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { QuestionCard } from './question-card.tsx'
import styles from './question.module.css'

/** What somebody else has settled says so for that long, and goes. */
const settledMs = 5_000

interface QuestionsProps {
  /** Of which the open ones are shown, and those that were open just now. */
  of: readonly Question[]
  runnerOf: (question: Question) => string | null | undefined
}

/** The open questions of a page, the one that waits longest first. */
export function Questions({ of, runnerOf }: QuestionsProps) {
  const { lingering, done } = useLingering(of)
  const shown = of
    .filter(({ id, status }) => status === 'open' || lingering.has(id))
    .toSorted((one, other) => one.askedAt.localeCompare(other.askedAt))
  const first = shown.find(({ status }) => status === 'open')
  if (shown.length === 0) return null
  return (
    <section className={styles['questions']} aria-label="Questions">
      {shown.map((question) => (
        <QuestionCard
          key={question.id}
          question={question}
          runner={runnerOf(question)}
          hasKeys={question.id === first?.id}
          onDone={() => done([question.id])}
        />
      ))}
    </section>
  )
}

/** Ids of questions that were open on this page and are not any more; those with unsent words stay. */
function useLingering(questions: readonly Question[]) {
  const { drafts } = useWorkspace()
  const open = useRef<ReadonlySet<string>>(new Set())
  const [lingering, setLingering] = useState<ReadonlySet<string>>(new Set())
  const done = (ids: readonly string[]) =>
    setLingering((known) => new Set([...known].filter((id) => !ids.includes(id))))
  useEffect(() => {
    const now = new Set(questions.filter(({ status }) => status === 'open').map(({ id }) => id))
    const gone = [...open.current].filter((id) => !now.has(id))
    open.current = now
    if (gone.length === 0) return
    setLingering((known) => new Set([...known, ...gone]))
    const hasWords = (id: string) => (drafts.read(`answer:${id}`)?.text ?? '').trim() !== ''
    setTimeout(() => done(gone.filter((id) => !hasWords(id))), settledMs)
  }, [questions, drafts])
  return { lingering, done }
}
