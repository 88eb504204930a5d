# Terminal for .png.  The caller sets WIDTH and HEIGHT in pixels of 96 an inch, and SCALE, by which
# the picture is finer than that (.png only); a terminal script sets the fonts
# at sizes of 15 (text), 13 (small) and 21 (title) pixels.
if (strstrt(GPVAL_TERMINALS, ' pngcairo ')) {
	# cairo counts in points of 96 to 72 pixels.
	TEXT_FONT = 'sans-serif,11.25'
	SMALL_FONT = 'sans-serif,9.75'
	TITLE_FONT = 'sans-serif:Bold,15.75'
	set terminal pngcairo noenhanced size WIDTH*SCALE,HEIGHT*SCALE font TEXT_FONT fontscale SCALE linewidth SCALE pointscale SCALE background '#ffffff'
} else {
	# gnuplot built without cairo: libgd draws the same, less smoothly.
	TEXT_FONT = 'sans,11'
	SMALL_FONT = 'sans,9'
	TITLE_FONT = 'sans,15'
	set terminal png truecolor noenhanced size WIDTH*SCALE,HEIGHT*SCALE font TEXT_FONT fontscale SCALE linewidth SCALE background '#ffffff'
}
