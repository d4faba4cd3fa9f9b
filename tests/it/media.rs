//! Videos, audio files and pictures in pages.

use crate::support::{check, main_of, over_base, site};

const PAGE: &str = "content/guide/cleaning/en.md";

/// The main element of a page with a text, next to a video, an audio file, a poster and captions.
#[track_caller]
fn page(text: &str) -> String {
    let files = "//- content/guide/cleaning/demo.mp4\nx\n//- content/guide/cleaning/hum.mp3\nx\n//- content/guide/cleaning/first.svg\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n//- content/guide/cleaning/en.vtt\nWEBVTT\n";
    main_of(&site(&over_base(&format!("//- {PAGE}\n# Cleaning\n\n{text}\n{files}"))), "guide/cleaning/index.html")
}

#[track_caller]
fn shows(text: &str, html: &str) {
    let main = page(text);
    assert!(main.contains(html), "{html}\nis not in\n{main}");
}

#[track_caller]
fn finds(text: &str, findings: &str) {
    let files = "//- content/guide/cleaning/demo.mp4\nx\n//- content/guide/cleaning/en.vtt\nWEBVTT\n";
    check(&over_base(&format!("//- {PAGE}\n# Cleaning\n\n{text}\n{files}")), findings);
}

#[test]
fn an_image_with_a_video_file_is_a_video() {
    shows(
        "![The lid closes](demo.mp4)",
        "<p><video src=\"./demo.mp4\" aria-label=\"The lid closes\" controls preload=\"metadata\"></video></p>",
    );
    shows(
        "![The lid closes](demo.mp4 \"Step 1 & 2\")",
        "<figure><video src=\"./demo.mp4\" aria-label=\"The lid closes\" controls preload=\"metadata\"></video><figcaption>Step 1 &amp; 2</figcaption></figure>",
    );
    shows("![A hum](hum.mp3)", "<audio src=\"./hum.mp3\" aria-label=\"A hum\" controls preload=\"metadata\"></audio>");
    shows(
        "Text ![a *b*](/guide/cleaning/demo.mp4 \"c\") text.",
        " aria-label=\"a b\" title=\"c\" controls preload=\"metadata\"></video> text.",
    );
}

#[test]
fn videos_in_html_are_checked_and_written_again() {
    shows(
        "<video src=\"demo.mp4\" poster=\"first.svg\" width=\"640\" height=\"360\" muted loop playsinline preload=\"none\" aria-label=\"The <lid>\"></video>",
        "<video src=\"./demo.mp4\" poster=\"./first.svg\" width=\"640\" height=\"360\" muted loop playsinline aria-label=\"The &lt;lid&gt;\" controls preload=\"none\"></video>",
    );
    shows(
        "<video controls>\n<source src=\"demo.mp4\" type=\"video/mp4\">\n<track src=\"en.vtt\" kind=\"captions\" srclang=\"en\" label=\"English\" default>\n<a href=\"demo.mp4\">Download</a>\n</video>",
        "<video controls preload=\"metadata\">\n<source src=\"./demo.mp4\" type=\"video/mp4\">\n<track src=\"./en.vtt\" kind=\"captions\" srclang=\"en\" label=\"English\" default>\n<a href=\"./demo.mp4\">Download</a>\n</video>",
    );
    // The table of contents shows a heading without its videos.
    let main = page("## Lid <video src=\"./demo.mp4\" title=\"x\"></video> down\n\n## Second\n\n## Third");
    assert_eq!(main.matches("<video").count(), main.matches("</video>").count(), "{main}");
}

#[test]
fn the_files_of_videos_must_exist_in_the_content_folder() {
    finds(
        "![a](dem.mp4)\n\n<video src=\"demo.mp4\" poster=\"no.png\" title=\"a\"><track src=\"no.vtt\"></video>",
        "content/guide/cleaning/en.md:3:1 dead-link: no page has the address `dem.mp4` (did you mean `/guide/cleaning/demo.mp4`?)
content/guide/cleaning/en.md:5:1 dead-link: no page has the address `no.png` (check the address; a link to a file is relative to this one)
content/guide/cleaning/en.md:5:49 dead-link: no page has the address `no.vtt` (did you mean `/guide/cleaning/en.vtt`?)",
    );
    finds(
        "![a](https://a.example/b.webm)\n\n<audio title=\"a\"><source src=\"https://a.example/b.mp3\"></audio>\n\n<video title=\"a\" src=\"../../index/en.md\"></video>",
        "content/guide/cleaning/en.md:3:1 external-image: the video `https://a.example/b.webm` comes from another site (save a copy next to the page, so that the page doesn't load anything from other sites)
content/guide/cleaning/en.md:5:18 external-image: the audio file `https://a.example/b.mp3` comes from another site (save a copy next to the page, so that the page doesn't load anything from other sites)
content/guide/cleaning/en.md:7:1 dead-link: this is not a video (link to a video next to the page)",
    );
}

#[test]
fn videos_need_a_text_alternative() {
    finds(
        "![](demo.mp4)\n\n<video src=\"demo.mp4\"></video>\n\n<audio src=\"demo.mp4\" aria-label=\" \"><track src=\"en.vtt\" kind=\"chapters\"></audio>",
        "content/guide/cleaning/en.md:3:1 missing-alt-text: the video has no alternative text (describe the video between the square brackets: `![a Pod is evicted](…)`)
content/guide/cleaning/en.md:5:1 missing-alt-text: the video has no alternative text (add `aria-label=\"…\"` that describes the video, or a `<track>` with captions)
content/guide/cleaning/en.md:7:1 missing-alt-text: the audio file has no alternative text (add `aria-label=\"…\"` that describes the audio file, or a `<track>` with captions)",
    );
    finds("<video src=\"demo.mp4\"><track src=\"en.vtt\"></video>", "");
}

#[test]
fn videos_do_not_start_alone_and_are_not_in_links() {
    finds(
        "<video src=\"demo.mp4\" title=\"a\" muted autoplay></video>\n\n[![The lid](demo.mp4)](https://a.example/)\n\n<a href=\"https://a.example/\"><video title=\"a\"><source src=\"demo.mp4\"></video>The lid</a>\n\n<video title=\"a\" src=\"demo.mp4\"><audio src=\"demo.mp4\" title=\"b\"></audio></video>\n\n<source src=\"demo.mp4\">",
        "content/guide/cleaning/en.md:3:1 raw-html: `autoplay` of `<video>` was dropped: readers decide when to play it (remove `autoplay`)
content/guide/cleaning/en.md:5:2 raw-html: a link cannot contain controls; the alternative text of the video is shown (write the video outside of the link)
content/guide/cleaning/en.md:7:30 raw-html: `<video>` was dropped: a link cannot contain controls (write it in Markdown, or set `allow-html = true` under `[output.html]` in book.toml)
content/guide/cleaning/en.md:9:33 raw-html: `<audio>` was dropped: it cannot be inside of another video or audio file (write it in Markdown, or set `allow-html = true` under `[output.html]` in book.toml)
content/guide/cleaning/en.md:11:1 raw-html: `<source>` was dropped: it must be inside of `<video>` (write it in Markdown, or set `allow-html = true` under `[output.html]` in book.toml)",
    );
}

#[test]
fn all_pictures_but_the_first_are_loaded_late() {
    let main = page("![a](first.svg)\n\n![b](first.svg)\n\n<img src=\"first.svg\" alt=\"c\">");
    let late: Vec<bool> = main.split("<img").skip(1).map(|image| image.split('>').next().unwrap().contains("loading=\"lazy\"")).collect();
    assert_eq!(late, [false, true, true], "{main}");
}
