// Pictures of a campaign: addresses, uploads, and portraits for the components of a table.
import { getContext, setContext } from "svelte";
import { postBytes } from "../api/client";
import type { TableState } from "../api/types";

export type PictureUse = "portrait" | "map" | "handout";
export interface UploadedPicture {
  id: string;
  width: number;
  height: number;
}

const PORTRAITS = Symbol("portraits");
const MOST_BYTES = 4_000_000;
const LONGEST = 2_048;

export const pictureUrl = (campaign: string, id: string): string => `/v1/campaigns/${campaign}/pictures/${id}`;

/** Scale down a picture that is too large to upload. */
async function shrunk(file: Blob): Promise<Blob> {
  if (file.size <= MOST_BYTES) return file;
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return (await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.9))) ?? file;
  } catch {
    return file; // the server says what is wrong with it
  }
}

export async function uploadPicture(campaign: string, file: Blob, use: PictureUse): Promise<UploadedPicture> {
  return postBytes<UploadedPicture>(`/campaigns/${campaign}/pictures?use=${use}`, await shrunk(file));
}

/** Addresses of portraits by character name; namesakes with different portraits keep their icons. */
export function portraitsByName(table: TableState): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const one of [...table.characters, ...(table.scene?.participants ?? [])]) {
    const known = found.get(one.name) ?? new Set<string>();
    const picture = table.portraits?.[one.id];
    if (picture) known.add(picture);
    found.set(one.name, known);
  }
  return new Map([...found].flatMap(([name, known]) => (known.size === 1 ? [[name, pictureUrl(table.campaign.id, [...known][0]!)]] : [])));
}

/** Provide portraits to all components below. */
export function providePortraits(portraits: () => Map<string, string>): void {
  setContext(PORTRAITS, portraits);
}

/** Address of the portrait of a character by name, or undefined. */
export function portraitLookup(): (name: string) => string | undefined {
  const found = getContext<(() => Map<string, string>) | undefined>(PORTRAITS);
  return (name) => found?.().get(name);
}
