import { describe, expect, test } from 'vitest'
import { describeEventTypes, describedTypes, envelopesOf } from './event-types.ts'

const { eventTypes } = describeEventTypes()

describe.each(describedTypes)('%s', (type) => {
  const described = eventTypes.find((it) => it.type === type)

  test.each(['thin', 'full'] as const)('has an example that is its payload, %s', (mode) => {
    expect(envelopesOf(type)[mode].parse(described?.examples[mode])).toEqual(
      described?.examples[mode],
    )
    expect(described?.schemas[mode]).toMatchObject({ properties: { type: { const: type } } })
  })
})
