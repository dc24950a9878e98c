import { RefusedError } from '@svc/client/errors'
import type { Question } from '@svc/contracts/question'
import type { RouteOutput } from '@svc/contracts/rest'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { IdLink } from '../../shell/link.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { KeptWords } from '../../ui/kept-words.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago, Until } from '../../ui/time.tsx'
import { questionWords } from '../../words/states.ts'
import { questionKeys } from './keys.ts'
import styles from './question.module.css'
import { question as questionRead } from './reads.ts'
import { Settled } from './settled.tsx'

export interface QuestionCardProps {
  question: Question
  /** Of its objective, where the page does not say it already. */
  title?: string
  /** Where its agent is, if that is known. */
  runner?: string | null | undefined
  /** Its keys are those of the page: of several questions the first one has them. */
  hasKeys: boolean
  /** The page has heard that it is not open any more, and not what became of it. */
  isGone?: boolean
  /** It was answered here, and this says how its agent goes on; left out, the card says so itself. */
  onAnswered?: (what: string) => void
  /** It is settled, and what was typed here is not wanted any more. */
  onDone?: () => void
}

const settledCodes = new Set(['already_answered', 'question_closed'])

/** What an agent asks, with its options: one tap or one key answers. What was typed is kept until it was sent. */
export function QuestionCard(props: QuestionCardProps) {
  const { title, runner, hasKeys, isGone = false, onAnswered, onDone } = props
  const { drafts, rights } = useWorkspace()
  const draft = `answer:${props.question.id}`
  const [text, setText] = useDraft(draft, '')
  const field = useRef<HTMLTextAreaElement>(null)
  const [outcome, setOutcome] = useState<string>()
  const hear = ({ executionRequest: run }: RouteOutput<'answerQuestion'>) => {
    const where = run?.runnerLabel ?? runner
    const agent = props.question.agentIdentifier
    const what = run
      ? `Answered. ${agent} goes on in a run that is queued${where ? ` for ${where}` : ''}.`
      : `Answered. ${agent} goes on at once.`
    // words beside an option that was chosen, or written since these were sent, are sent to nobody
    const rest = drafts.textHere(draft) ?? ''
    setText(rest)
    if (onAnswered && rest.trim() === '') return onAnswered(what)
    announce(what)
    setOutcome(what)
  }
  const inWords = useAction('answerQuestion', { draft, onDone: hear })
  // no draft of the field: what is written there stays
  const byOption = useAction('answerQuestion', {
    draft: `option:${props.question.id}`,
    onDone: hear,
  })
  const [isByOption, setByOption] = useState(false)
  const answer = isByOption ? byOption : inWords
  const isRefused = answer.state.name === 'refused' && isSettledBy(answer.state.error)
  const isKnownOpen = props.question.status === 'open'
  const isAsked = isKnownOpen && (isGone || isRefused)
  const read = useRead(questionRead, { id: props.question.id }, { enabled: isAsked })
  const question = (isAsked && read.data?.question) || props.question
  const isOpen = question.status === 'open' && outcome === undefined && !isGone && !isRefused
  const mayAnswer = isOpen && rights.mayCall('answerQuestion')
  const isSending = answer.state.name === 'sending'
  const send = (given: { optionId: string } | { text: string }) => {
    if (isSending) return
    const isOption = 'optionId' in given
    setByOption(isOption)
    void (isOption ? byOption : inWords).send({ id: question.id, ...given })
  }
  const discard = () => {
    setText('')
    drafts.drop(draft)
    onDone?.()
  }
  useKeys(
    mayAnswer && hasKeys
      ? questionKeys(question, {
          choose: (optionId) => send({ optionId }),
          write: () => field.current?.focus(),
        })
      : [],
  )
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (text.trim() !== '') send({ text })
  }
  const takesText = question.allowFreeText || question.options.length === 0
  return (
    <article
      className={styles['card']}
      aria-label={`Question of ${question.displayId}`}
      data-question={question.id}
      tabIndex={-1}
    >
      <p className={styles['head']}>
        {!isOpen && question.status !== 'open' && <Badge of={questionWords[question.status]} />}
        <span>
          {isOpen && (
            <span className={styles['sign']} aria-hidden="true">
              ?{' '}
            </span>
          )}
          <Text>{question.agentIdentifier}</Text>
          {runner != null && (
            <>
              {' on '}
              <Text>{runner}</Text>
            </>
          )}{' '}
          asks for <IdLink id={question.displayId} />
          {title !== undefined && (
            <>
              {' '}
              <Text>{title}</Text>
            </>
          )}
          {' · '}
          <Ago at={question.askedAt} />
        </span>
        {isOpen && (
          <span className={styles['quiet']}>
            open for <Until at={question.expiresAt} />
          </span>
        )}
      </p>
      <div className={styles['asked']}>
        <Markdown>{question.question}</Markdown>
      </div>
      {outcome !== undefined && (
        <>
          <p>{outcome}</p>
          <KeptWords text={text} onDiscard={discard} />
        </>
      )}
      {!isOpen && outcome === undefined && (
        <Settled
          question={question}
          isMissing={read.error !== null}
          kept={text}
          onDiscard={discard}
        />
      )}
      {mayAnswer && (
        <>
          {question.options.length > 0 && (
            <ul className={styles['options']} aria-label="Answers to choose from">
              {question.options.map(({ id, label, description }, index) => (
                <li key={id}>
                  <Button
                    disabled={isSending}
                    onClick={() => send({ optionId: id })}
                    className={styles['option'] ?? ''}
                    aria-keyshortcuts={hasKeys && index < 9 ? String(index + 1) : undefined}
                  >
                    {hasKeys && index < 9 && <Kbd>{String(index + 1)}</Kbd>}
                    <span>
                      <Text>{label}</Text>
                      {description !== undefined && (
                        <span className={styles['description']}>
                          <Text>{description}</Text>
                        </span>
                      )}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {takesText && (
            <form className={styles['write']} onSubmit={submit}>
              <textarea
                ref={field}
                rows={text.includes('\n') || text.length > 80 ? 4 : 1}
                value={text}
                aria-label="An answer in your words"
                placeholder={question.options.length > 0 ? 'Or in your words' : 'Your answer'}
                onChange={(event) => setText(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
                }}
              />
              <Button
                type="submit"
                look={question.options.length > 0 ? 'second' : 'first'}
                disabled={text.trim() === '' || isSending}
              >
                Answer
              </Button>
            </form>
          )}
          <ActionProblem of={answer} />
        </>
      )}
    </article>
  )
}

function isSettledBy(error: Error): boolean {
  return error instanceof RefusedError && settledCodes.has(error.code)
}
