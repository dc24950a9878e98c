import type { KnownAgent } from '@svc/contracts/known-agent'
import type { Project } from '@svc/contracts/project'
import { Problem } from '../../shell/problem.tsx'
import { Field } from '../../ui/field.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Text } from '../../ui/text.tsx'
import { Fact } from './launch-facts.tsx'
import { type Line, previewRows } from './preview-rows.ts'
import styles from './settings.module.css'
import { Trust } from './trust.tsx'
import { type Preview, isAgentKey, problemsIn } from './use-preview.ts'

/** Whose launch is shown, of those that somebody has named. */
export interface ShownAgent {
  key: string
  known: readonly KnownAgent[]
  /** Until then nobody knows whether it is chosen among those or typed. */
  isRead: boolean
  choose: (key: string) => void
}

interface PreviewPanelProps {
  project: Project
  preview: Preview
  agent: ShownAgent
  showsValues: boolean
  /** Something is written that is not saved yet. */
  isWritten: boolean
  /** It stays next to a form that is longer than the window. */
  isStuck?: boolean
}

/** What a launch would be made with: now, and once what is written is saved. */
export function PreviewPanel(props: PreviewPanelProps) {
  const { project, agent, showsValues, isWritten, isStuck = false } = props
  const { shown, error } = props.preview
  const isOfFields = problemsIn(error).size > 0
  return (
    <section
      className={[styles['preview'], isStuck && styles['stuck']].filter(Boolean).join(' ')}
      aria-labelledby="launch-preview"
      // scrolled by keys where it is longer than the window itself
      tabIndex={isStuck ? 0 : undefined}
    >
      <h3 id="launch-preview">Preview of a launch</h3>
      <AgentChoice of={agent} />
      <p className={styles['quiet']}>
        Of an objective that chooses nothing itself.
        {isWritten && ' What is struck through is so now, what is underlined once it is saved.'}
      </p>
      {isOfFields && (
        <p>As it is written it could not be saved: this is without the last changes.</p>
      )}
      {error !== undefined && !isOfFields && <Problem error={error} />}
      {shown === undefined ? (
        error === undefined && isAgentKey(agent.key) && <Skeleton rows={3} />
      ) : (
        <>
          <dl className={styles['facts']}>
            {previewRows(shown, showsValues).map(({ label, lines, isCode }) => (
              <Fact key={label} name={label}>
                {lines.length === 0 ? (
                  <span className={styles['quiet']}>nothing</span>
                ) : (
                  <ul className={styles['lines']}>
                    {lines.map((line, index) => (
                      <li key={index}>
                        <OneLine of={line} isCode={isCode} />
                      </li>
                    ))}
                  </ul>
                )}
              </Fact>
            ))}
          </dl>
          <p className={styles['quiet']}>
            The rest of the command is the runner’s: svc launch --dry-run shows all of it, on a
            machine where the project is linked.
          </p>
          <Trust project={project} now={shown.before} later={shown.after} isWritten={isWritten} />
        </>
      )}
    </section>
  )
}

function OneLine({ of: { text, of }, isCode }: { of: Line; isCode: boolean }) {
  const words = <Text>{text}</Text>
  const shown = isCode ? <code>{words}</code> : words
  if (of === 'both') return shown
  const Mark = of === 'now' ? 'del' : 'ins'
  return (
    <Mark className={styles[of]}>
      <Hidden>{of === 'now' ? 'Now: ' : 'Then: '}</Hidden>
      {shown}
    </Mark>
  )
}

/** Any that somebody has named may be chosen; where nobody has named one, any may be typed. */
function AgentChoice({ of: { key: chosen, known, isRead, choose } }: { of: ShownAgent }) {
  if (!isRead) return <Skeleton rows={1} />
  if (known.length === 0) {
    return (
      <Field
        label="With the agent"
        autoComplete="off"
        spellCheck={false}
        hint="No runner has reported one yet. Its key, such as claude or codex."
        value={chosen}
        onChange={(event) => choose(event.target.value.trim())}
      />
    )
  }
  const keys = [...new Set([...known.map(({ key }) => key), chosen])]
  return (
    <Select
      label="With the agent"
      isSmall
      value={chosen}
      choices={keys.map((key) => ({ value: key, text: key }))}
      onChoose={choose}
    />
  )
}
