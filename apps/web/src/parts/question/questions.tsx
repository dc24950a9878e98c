import type { Question } from '@svc/contracts/question'
import { useEffect, useRef, useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { QuestionCard } from './question-card.tsx'
import styles from './question.module.css'
import { question } from './reads.ts'

/** What somebody else has settled says so for that long, and goes. */
const settledMs = 5_000

interface QuestionsProps {
  /** Of which the open ones are shown, and those that were open just now. */
  of: readonly Question[]
  /** By its id: whoever came for it is shown it, whatever became of it. */
  named?: string | undefined
  runnerOf: (question: Question) => string | null | undefined
}

/** The open questions of a page, the one that waits longest first. */
export function Questions({ of, named, runnerOf }: QuestionsProps) {
  const { lingering, done } = useLingering(of)
  const isKnown = of.some(({ id }) => id === named)
  const read = useRead(question, { id: named ?? '' }, { enabled: named !== undefined && !isKnown })
  const older = read.data?.question
  const shown = [...of, ...(older && !isKnown ? [older] : [])]
    .filter(({ id, status }) => status === 'open' || lingering.has(id) || id === named)
    .toSorted((one, other) => one.askedAt.localeCompare(other.askedAt))
  const open = shown.filter(({ status }) => status === 'open')
  const first = open.find(({ id }) => id === named) ?? open[0]
  // one that the page did not have comes after it was asked for
  const late = older && !isKnown ? older.id : undefined
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (late === undefined) return
    const selector = `[data-question="${CSS.escape(late)}"]`
    const card = section.current?.querySelector<HTMLElement>(selector)
    card?.scrollIntoView({ block: 'center' })
    card?.focus()
  }, [late])
  if (shown.length === 0) return null
  return (
    <section ref={section} className={styles['questions']} aria-label="Questions">
      {shown.map((one) => (
        <QuestionCard
          key={one.id}
          question={one}
          runner={runnerOf(one)}
          hasKeys={one.id === first?.id}
          onDone={() => done([one.id])}
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
