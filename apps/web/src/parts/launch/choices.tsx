import type { KnownAgent } from '@svc/contracts/known-agent'
import { useId } from 'react'
import { useRead } from '../../data/reads.ts'
import { Check } from '../../ui/check.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { effortChoices } from '../../words/efforts.ts'
import { sourceWords } from '../../words/launch.ts'
import { visible } from '../../words/visible.ts'
import { type Choice, agentChoices } from './choice.ts'
import styles from './launch.module.css'
import { resources } from './reads.ts'
import type { Forecast } from './use-forecast.ts'

interface ChoicesProps {
  projectId: string
  known: readonly KnownAgent[]
  choice: Choice
  /** The agent that the objective names itself. */
  ofObjective: string | null
  /** What the launch would be made with, once that is known. */
  settings: Forecast['settings'] | undefined
  /** By their names. */
  runners: readonly string[]
  onChoose: (more: Partial<Choice>) => void
}

export function Choices(props: ChoicesProps) {
  const { projectId, known, choice, settings, runners, onChoose } = props
  const models = useId()
  const linked = useRead(resources, { id: projectId })
  const keys = linked.data?.resources ?? []
  const agent = known.find(({ key }) => key === choice.agent)
  const efforts = [...new Set([...(agent?.efforts ?? []), ...effortChoices])]
  return (
    <>
      <div className={styles['choices']}>
        <AgentChoice {...props} />
        <Field
          label="Model"
          value={choice.model}
          list={models}
          placeholder={settings?.model.value ?? "the agent's own"}
          hint={settings && sourceWords[settings.model.source]}
          onChange={(event) => onChoose({ model: event.target.value })}
        />
        <datalist id={models}>
          {agent?.models.map((model) => (
            <option key={model} value={model} />
          ))}
        </datalist>
        <Select
          label="Effort"
          value={choice.effort}
          choices={[
            { value: '', text: unchosen(choice.effort, settings?.reasoningEffort) },
            ...efforts.map((effort) => ({ value: effort, text: effort })),
          ]}
          hint={settings && sourceWords[settings.reasoningEffort.source]}
          onChoose={(effort) => onChoose({ effort })}
        />
        {keys.length > 0 && (
          <Select
            label="Resource"
            value={choice.resource}
            choices={[
              { value: '', text: unchosen(choice.resource, settings?.resourceKey) },
              ...keys.map(({ resourceKey, permission }) => ({
                value: resourceKey,
                text: permission === 'ro' ? `${resourceKey} (to read)` : resourceKey,
              })),
            ]}
            hint={settings && sourceWords[settings.resourceKey.source]}
            onChoose={(resource) => onChoose({ resource })}
          />
        )}
        <Select
          label="Runner"
          value={choice.runner}
          choices={[
            { value: '', text: 'Whichever can take it' },
            ...[...new Set(runners)].map((label) => ({
              value: label,
              text: namedOf(label, runners),
            })),
          ]}
          onChoose={(runner) => onChoose({ runner })}
        />
      </div>
      {keys.length > 0 && (
        <Check
          checked={choice.fromBase}
          onChange={(fromBase) => onChoose({ fromBase })}
          hint="What the mission has so far stays aside on its branch."
        >
          Begin anew from the default branch
        </Check>
      )}
    </>
  )
}

/** A launch asks for a name, which several may have. */
function namedOf(label: string, runners: readonly string[]): string {
  const count = runners.filter((one) => one === label).length
  return count === 1 ? visible(label) : `${visible(label)} (any of ${count} runners)`
}

/** Of the demonstration. */
const scriptedAgent = 'scripted'

function AgentChoice({ known, choice, ofObjective, settings, onChoose }: ChoicesProps) {
  const { agent } = choice
  const source = agent === ofObjective ? 'objective' : settings?.agent.source
  // the sheet names the agent with every launch; whether that is anything but what would be taken, it can tell
  const why = settings && source && agent !== '' ? sourceWords[source] : undefined
  const hint =
    agent === scriptedAgent
      ? 'For a first try: it uses no model, and writes a file whatever it is told.'
      : why
  if (known.length === 0) {
    return (
      <Field
        label="Agent"
        required
        hint="No runner has reported one yet. Its key, such as claude or codex."
        value={choice.agent}
        onChange={(event) => onChoose({ agent: event.target.value.trim() })}
      />
    )
  }
  return (
    <Select
      label="Agent"
      required
      value={choice.agent}
      choices={[
        ...(choice.agent === '' ? [{ value: '', text: 'Choose one' }] : []),
        ...agentChoices(known, choice.agent),
      ]}
      hint={hint}
      onChoose={(agent) => onChoose({ agent })}
    />
  )
}

/** What is taken where nothing is chosen, as far as it is known. */
function unchosen(chosen: string, setting: { value: string | null } | undefined): string {
  return (chosen === '' ? setting?.value : undefined) ?? 'default'
}
