import type { Person } from '../../testing/people.ts'

export const remove = (person: Person, objectives: readonly { id: string }[]) =>
  person.call('deleteObjectives', { objectiveIds: objectives.map(({ id }) => id), confirm: true })
