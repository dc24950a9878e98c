import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

/** Lets cards be dragged onto columns. Each answers what ends it. */
export interface Dragging {
  card: (element: HTMLElement, missionId: string) => () => void
  column: (element: HTMLElement, onDrop: (missionId: string) => void) => () => void
}

export const dragging: Dragging = {
  card: (element, missionId) =>
    draggable({
      element,
      getInitialData: () => ({ missionId }),
      onDragStart: () => (element.dataset['dragged'] = ''),
      onDrop: () => delete element.dataset['dragged'],
    }),
  // a drop marks the column, and no place in it
  column: (element, onDrop) =>
    dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data['missionId'] !== undefined,
      onDragEnter: () => (element.dataset['over'] = ''),
      onDragLeave: () => delete element.dataset['over'],
      onDrop: ({ source }) => {
        delete element.dataset['over']
        onDrop(String(source.data['missionId']))
      },
    }),
}
