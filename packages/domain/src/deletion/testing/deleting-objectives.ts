import type { Person } from '@svc/testing/people'

export const remove = (person: Person, objectives: readonly { id: string }[]) =>
  person.call('deleteObjectives', { objectiveIds: objectives.map(({ id }) => id), confirm: true })
