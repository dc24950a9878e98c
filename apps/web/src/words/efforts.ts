/** What the agents that runners know by themselves take as their effort; others take what they say. */
export const effortChoices = ['low', 'medium', 'high'] as const
