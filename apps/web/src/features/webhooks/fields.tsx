import { useState } from 'react'
import { limits, payloadModes } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { refusalWords } from '../../words/refusal.ts'
import { visible } from '../../words/visible.ts'
import { payloadWords } from '../../words/webhooks.ts'
import { EventPicker } from './event-picker.tsx'
import { type WebhookForm, addTyped } from './form.ts'
import { projects } from './reads.ts'
import { useEndpointCheck } from './use-endpoint-check.ts'

/** The form as it is sent: with what was written by hand and not added yet, and with the payload that is shown. */
export interface FormToSend {
  form: WebhookForm
  payloadMode: 'thin' | 'full'
}

interface WebhookFieldsState {
  fields: React.ReactNode
  /** Undefined where something is missing that the form says itself. */
  toSend: () => FormToSend | undefined
}

/** What a webhook is made of, while it is being written. */
export function useWebhookFields(
  form: WebhookForm,
  change: (form: WebhookForm) => void,
): WebhookFieldsState {
  const { verdict, check } = useEndpointCheck(form.endpointUrl)
  const [problem, setProblem] = useState<string>()
  const { proposed } = form
  const asSent = proposed?.url === form.endpointUrl ? proposed.mode : undefined
  const payloadMode = form.payloadMode ?? asSent ?? (verdict?.isListed ? 'full' : 'thin')
  const add = (): WebhookForm | undefined => {
    const added = addTyped(form)
    setProblem(added.problem)
    if (added.problem !== undefined) return undefined
    if (added.form !== form) change(added.form)
    return added.form
  }
  const toSend = () => {
    const whole = add()
    if (whole === undefined) return undefined
    if (whole.eventTypes.length > 0) return { form: whole, payloadMode }
    setProblem('Choose an event at least: it is sent nothing else.')
    return undefined
  }
  const fields = (
    <>
      <Field
        label="Name"
        required
        maxLength={limits.titleCharacters}
        value={form.name}
        onChange={(event) => change({ ...form, name: event.target.value })}
      />
      <Field
        label="Address"
        required
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        value={form.endpointUrl}
        problem={verdict?.refusal ? refusalWords(verdict.refusal) : undefined}
        hint={
          verdict?.isListed
            ? 'Whoever operates the service has named this host.'
            : 'Where events are posted to, by https.'
        }
        onChange={(event) => change({ ...form, endpointUrl: event.target.value })}
        onBlur={check}
      />
      <EventPicker form={form} problem={problem} onChange={change} onAdd={() => add()} />
      <ProjectChoice form={form} change={change} />
      <Select
        label="Payload"
        value={payloadMode}
        choices={payloadModes.map((value) => ({ value, text: value }))}
        hint={payloadWords[payloadMode]}
        onChoose={(chosen) =>
          change({ ...form, payloadMode: payloadModes.find((mode) => mode === chosen) ?? null })
        }
      />
    </>
  )
  return { fields, toSend }
}

function ProjectChoice({
  form,
  change,
}: {
  form: WebhookForm
  change: (form: WebhookForm) => void
}) {
  const known = useRead(projects, {}).data?.projects ?? []
  const { projectId } = form
  const isKnown = projectId === null || known.some(({ id }) => id === projectId)
  return (
    <Select
      label="Project"
      value={projectId ?? ''}
      hint="Whose events are sent."
      choices={[
        { value: '', text: 'All projects' },
        ...(isKnown ? [] : [{ value: projectId, text: projectId }]),
        ...known.map(({ id, name }) => ({ value: id, text: visible(name) })),
      ]}
      onChoose={(id) => change({ ...form, projectId: id === '' ? null : id })}
    />
  )
}
